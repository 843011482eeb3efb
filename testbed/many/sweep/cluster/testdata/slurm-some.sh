#!/bin/bash
# rocelab: 3 runs in 3 tasks. Change what your site needs; lines with #SBATCH are
# options of sbatch. What is done is not run again, so this may be handed over as often as you like:
#   sbatch '/sweeps/incast/submit/002/slurm.sh'
#SBATCH --job-name=rocelab-sweep
#SBATCH --array=0,2
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output="/sweeps/incast/submit/002/logs/%a.log"
set -u
submission='/sweeps/incast/submit/002'
rocelab='/usr/bin/rocelab'
shard=$SLURM_ARRAY_TASK_ID/3

# Signals reach only what srun started. bash waits in the background: else it would
# see a signal only after the run.
stopped=
trap 'stopped=1; kill -TERM "$step" 2>/dev/null' TERM INT
task() {
  srun --ntasks=1 "$rocelab" sweep task "$submission" --shard "$shard" --probe 'ABCDEFGH' --jobs 1 &
  step=$!
  wait "$step"
  code=$?
  while [ -n "$stopped" ] && kill -0 "$step" 2>/dev/null; do
    wait "$step"
    code=$?
  done
}

# 137: the task itself was killed, such as for its memory. It knows what it had begun,
# and tries nothing a fourth time.
for _ in 1 2 3; do
  task
  if [ -n "$stopped" ] || [ "$code" != 137 ]; then break; fi
done

# 4: this host lacks something. The task goes to another, at most twice; $0 is this script
# as Slurm keeps it on each node, which may not see the folder of the submission.
if [ "$code" = 4 ] && [ -z "$stopped" ]; then
  without=${ROCELAB_WITHOUT:+$ROCELAB_WITHOUT,}$SLURMD_NODENAME
  commas=${without//[!,]/}
  if [ "${#commas}" -lt 2 ]; then
    echo "rocelab: exit code 4 on $SLURMD_NODENAME: again without $without"
    ROCELAB_WITHOUT=$without sbatch --array="$SLURM_ARRAY_TASK_ID" --exclude="$without" "$0"
  fi
fi
exit "$code"
