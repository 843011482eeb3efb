// rocelab-peer is the far end of a connection to a NIC of rocelab: one reliable QP of whatever RDMA device is there,
// soft-RoCE or a card. It prints its numbers, takes those of the other end, and then does what each line of its
// standard input asks for; each answer is one line.
//
//	cc -O2 -o rocelab-peer rocelab-peer.c -libverbs
//	rocelab-peer -d rxe0 -g 1
//
// Options: -d device; -g index of the GID, 1 for IPv4 of soft-RoCE; -l length of the memory in bytes; -p first PSN;
// -m path MTU in bytes; -r receives; -z room of each; -s longest message in bytes; -t timeout, as ibv_modify_qp has it.
//
// Lines, with defaults in brackets:
//
//	connect IP QP PSN RKEY VA LENGTH MTU    from `rocelab peer`; also begins again after an error
//	write|write-imm|send|send-imm|read FROM [TO = FROM] [COUNT = 1]   a message of each length
//	random SEED LONGEST COUNT               of those, drawn
//	try write|read|fetch-add|swap RKEY OFFSET LENGTH   one that is to fail; the answer is its status
//	post N                                  receives
//	await N MILLISECONDS                    until N messages took a receive here
//	report                                  digests and counts
//	quit
//
// The memory begins as zeros, the other end's as wire.Pattern of its key and PSN 0. A WRITE or SEND carries
// wire.Pattern of its number, from 1, and PSN 0. Addresses follow one another, from the begin again when the next
// message does not fit. The digest of messages is as in peers.csv.
#include <arpa/inet.h>
#include <infiniband/verbs.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what) {
	printf("error: %s\n", what);
	exit(1);
}

// SHA-256 (FIPS 180-4).
struct sha {
	uint32_t h[8];
	uint64_t n;
	uint8_t block[64];
};

static const uint32_t k256[64] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
	0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
	0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
	0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
	0xc67178f2};

static void sha_begin(struct sha *s) {
	static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
		0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
	memcpy(s->h, start, sizeof start);
	s->n = 0;
}

static uint32_t turn(uint32_t x, int n) { return x >> n | x << (32 - n); }

static void sha_block(struct sha *s) {
	uint32_t w[64], v[8];
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)s->block[4 * i] << 24 | s->block[4 * i + 1] << 16 | s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
	for (int i = 16; i < 64; i++)
		w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3) +
			(turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10);
	memcpy(v, s->h, sizeof v);
	for (int i = 0; i < 64; i++) {
		uint32_t a = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) + ((v[4] & v[5]) ^ (~v[4] & v[6])) +
			k256[i] + w[i];
		uint32_t b = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
		memmove(v + 1, v, 7 * sizeof *v);
		v[4] += a;
		v[0] = a + b;
	}
	for (int i = 0; i < 8; i++)
		s->h[i] += v[i];
}

static void sha_add(struct sha *s, const void *data, size_t n) {
	const uint8_t *p = data;
	while (n > 0) {
		size_t at = s->n % 64, part = 64 - at < n ? 64 - at : n;
		memcpy(s->block + at, p, part);
		s->n += part, p += part, n -= part;
		if (s->n % 64 == 0)
			sha_block(s);
	}
}

static const char *sha_text(const struct sha *of, char text[65]) {
	struct sha s = *of;
	uint64_t bits = s.n * 8;
	uint8_t pad = 0x80, length[8];
	for (sha_add(&s, &pad, 1), pad = 0; s.n % 64 != 56;)
		sha_add(&s, &pad, 1);
	for (int i = 0; i < 8; i++)
		length[i] = bits >> (56 - 8 * i);
	sha_add(&s, length, 8);
	for (int i = 0; i < 8; i++)
		sprintf(text + 8 * i, "%08x", s.h[i]);
	return text;
}

// pattern is wire.Pattern.
static void pattern(uint32_t qp, uint32_t psn, uint8_t *to, size_t n) {
	uint64_t x = ((uint64_t)qp << 32 | psn) * 0xff51afd7ed558ccdULL;
	x ^= x >> 32;
	for (; n >= 8; to += 8, n -= 8, x += 0x9e3779b97f4a7c15ULL)
		memcpy(to, &x, 8); // on a machine whose least significant byte is first
	for (size_t i = 0; i < n; i++)
		to[i] = x >> (8 * i);
}

static void chain(struct sha *s, uint32_t immediate, const uint8_t *data, uint32_t n) {
	sha_add(s, &n, 4);
	sha_add(s, &immediate, 4);
	sha_add(s, data, n);
}

enum { WRITE, WRITE_IMM, SEND, SEND_IMM, READ, FETCH_ADD, SWAP, VERBS };
static const char *verb_names[VERBS] = {"write", "write-imm", "send", "send-imm", "read", "fetch-add", "swap"};
static const enum ibv_wr_opcode opcodes[VERBS] = {IBV_WR_RDMA_WRITE, IBV_WR_RDMA_WRITE_WITH_IMM, IBV_WR_SEND,
	IBV_WR_SEND_WITH_IMM, IBV_WR_RDMA_READ, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_ATOMIC_CMP_AND_SWP};

enum { DEPTH = 8, MOST_RECEIVES = 256 };

static struct ibv_context *context;
static struct ibv_pd *pd;
static struct ibv_cq *send_cq, *recv_cq;
static struct ibv_qp *qp;
static struct ibv_mr *memory_mr, *out_mr, *in_mr;
static uint8_t *memory, *out, *in, *shadow, *wanted;
static uint64_t length = 1 << 20, room = 4096, longest = 1 << 20;
static int receives = 64, gid_index = 1, mtu = 1024, timeout = 14;
static uint32_t psn = 0xFFFFF0;

// The other end's.
static uint32_t far_rkey;
static uint64_t far_va, far_length;

static uint64_t posted, completed, mismatches, received;
static struct {
	int verb;
	uint32_t length;
} slots[DEPTH];
static enum ibv_wc_status status;
static uint64_t place;
static struct sha received_chain, sent_chain;

static void post_receive(uint64_t slot) {
	struct ibv_sge sge = {(uintptr_t)(in + slot * room), room, in_mr->lkey};
	struct ibv_recv_wr wr = {.wr_id = slot, .sg_list = &sge, .num_sge = 1}, *bad;
	if (ibv_post_recv(qp, &wr, &bad))
		fail("no receive can be posted");
}

// drain handles what came and what completed, and returns how many receives were taken.
static int drain(void) {
	struct ibv_wc wc;
	int handled = 0;
	while (ibv_poll_cq(recv_cq, 1, &wc) > 0) {
		handled++;
		if (wc.status != IBV_WC_SUCCESS)
			continue;
		uint32_t immediate = wc.wc_flags & IBV_WC_WITH_IMM ? ntohl(wc.imm_data) : 0;
		uint32_t n = wc.opcode == IBV_WC_RECV_RDMA_WITH_IMM ? 0 : wc.byte_len;
		chain(&received_chain, immediate, in + wc.wr_id * room, n);
		received++;
		post_receive(wc.wr_id);
	}
	while (ibv_poll_cq(send_cq, 1, &wc) > 0) {
		int slot = completed++ % DEPTH;
		if (wc.status != IBV_WC_SUCCESS) {
			if (status == IBV_WC_SUCCESS)
				status = wc.status;
		} else if (slots[slot].verb == READ && memcmp(out + slot * longest, wanted + slot * longest, slots[slot].length))
			mismatches++;
	}
	return handled;
}

static void set(struct ibv_qp_attr *a, int mask, const char *what) {
	if (ibv_modify_qp(qp, a, mask))
		fail(what);
}

static enum ibv_mtu mtu_code(int bytes) {
	enum ibv_mtu code = IBV_MTU_256;
	while (256 << (code - IBV_MTU_256) < bytes && code < IBV_MTU_4096)
		code++;
	return code;
}

static int connect_to(const char *ip, uint32_t far_qp, uint32_t far_psn, int path_mtu) {
	union ibv_gid far = {.raw = {[10] = 0xFF, [11] = 0xFF}};
	if (inet_pton(AF_INET, ip, far.raw + 12) != 1)
		return -1;
	struct ibv_qp_attr reset = {.qp_state = IBV_QPS_RESET};
	set(&reset, IBV_QP_STATE, "the QP cannot be reset");
	struct ibv_qp_attr init = {.qp_state = IBV_QPS_INIT, .port_num = 1,
		.qp_access_flags = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ |
			IBV_ACCESS_REMOTE_ATOMIC};
	set(&init, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, "INIT");
	struct ibv_qp_attr rtr = {.qp_state = IBV_QPS_RTR, .path_mtu = mtu_code(path_mtu < mtu ? path_mtu : mtu),
		.dest_qp_num = far_qp, .rq_psn = far_psn, .max_dest_rd_atomic = 16, .min_rnr_timer = 12,
		.ah_attr = {.is_global = 1, .port_num = 1,
			.grh = {.dgid = far, .sgid_index = gid_index, .hop_limit = 64, .traffic_class = 26 << 2 | 2}}};
	set(&rtr, IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
		IBV_QP_MIN_RNR_TIMER, "RTR");
	struct ibv_qp_attr rts = {.qp_state = IBV_QPS_RTS, .timeout = timeout, .retry_cnt = 7, .rnr_retry = 7, .sq_psn = psn,
		.max_rd_atomic = 4};
	set(&rts, IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
		IBV_QP_MAX_QP_RD_ATOMIC, "RTS");
	for (int i = 0; i < receives; i++)
		post_receive(i);
	posted = completed = place = 0;
	status = IBV_WC_SUCCESS;
	return 0;
}

static void post(int verb, uint32_t n, uint32_t rkey, uint64_t at) {
	int slot = posted++ % DEPTH;
	slots[slot].verb = verb, slots[slot].length = n;
	struct ibv_sge sge = {(uintptr_t)(out + slot * longest), n, out_mr->lkey};
	struct ibv_send_wr wr = {.opcode = opcodes[verb], .sg_list = &sge, .num_sge = n > 0,
		.send_flags = IBV_SEND_SIGNALED}, *bad;
	wr.imm_data = htonl((uint32_t)posted);
	if (verb == FETCH_ADD || verb == SWAP) {
		wr.wr.atomic.remote_addr = at, wr.wr.atomic.rkey = rkey, wr.wr.atomic.compare_add = 1;
	} else {
		wr.wr.rdma.remote_addr = at, wr.wr.rdma.rkey = rkey;
	}
	if (ibv_post_send(qp, &wr, &bad))
		fail("no request can be posted");
}

// ask posts one message, once there is room for it.
static void ask(int verb, uint32_t n) {
	while (posted - completed == DEPTH)
		drain();
	if (status != IBV_WC_SUCCESS)
		return;
	int slot = posted % DEPTH;
	uint64_t at = 0;
	if (verb == WRITE || verb == WRITE_IMM || verb == READ) {
		if (place + n > far_length)
			place = 0;
		at = place;
		place += n;
	}
	if (verb == READ) {
		memcpy(wanted + slot * longest, shadow + at, n);
		memset(out + slot * longest, 0xEE, n);
	} else {
		pattern(posted + 1, 0, out + slot * longest, n);
		if (verb == WRITE || verb == WRITE_IMM)
			memcpy(shadow + at, out + slot * longest, n);
		if (verb != WRITE)
			chain(&sent_chain, verb == SEND ? 0 : posted + 1, out + slot * longest, verb == WRITE_IMM ? 0 : n);
	}
	post(verb, n, far_rkey, far_va + at);
}

static void finish(void) {
	while (completed < posted)
		drain();
	printf("%s: %llu messages, %llu mismatches\n", status == IBV_WC_SUCCESS ? "ok" : ibv_wc_status_str(status),
		(unsigned long long)completed, (unsigned long long)mismatches);
}

static uint64_t state;
static uint32_t below(uint32_t n) { // SplitMix64
	uint64_t z = state += 0x9e3779b97f4a7c15ULL;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return (z ^ z >> 31) % n;
}

static uint64_t now_ms(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ULL + t.tv_nsec / 1000000;
}

static void report(void) {
	struct sha m, s;
	char a[65], b[65], c[65], d[65];
	sha_begin(&m);
	sha_add(&m, memory, length);
	sha_begin(&s);
	sha_add(&s, shadow, far_length);
	printf("ok: memory=%s shadow=%s received=%s sent=%s messages=%llu mismatches=%llu\n", sha_text(&m, a), sha_text(&s, b),
		sha_text(&received_chain, c), sha_text(&sent_chain, d), (unsigned long long)received, (unsigned long long)mismatches);
}

static int verb_of(const char *name) {
	for (int i = 0; i < VERBS; i++)
		if (!strcmp(name, verb_names[i]))
			return i;
	return -1;
}

static void command(char *line) {
	char word[32], text[64];
	unsigned long long a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
	if (sscanf(line, "%31s", word) != 1)
		return;
	line += strspn(line, " ") + strlen(word);
	int verb = verb_of(word);
	if (!strcmp(word, "connect") && sscanf(line, "%63s %llu %llu %llu %llu %llu %llu", text, &a, &b, &c, &d,
			&e, &f) == 7) {
		far_rkey = c, far_va = d, far_length = e;
		free(shadow);
		shadow = malloc(far_length + 1);
		pattern(far_rkey, 0, shadow, far_length);
		puts(connect_to(text, a, b, f) ? "error: no such address" : "ok");
	} else if (verb >= 0 && verb <= READ) {
		int n = sscanf(line, "%llu %llu %llu", &a, &b, &c);
		b = n < 2 ? a : b, c = n < 3 ? 1 : c;
		if (b > longest || b > far_length) {
			puts("error: too long");
			return;
		}
		for (; c > 0 && status == IBV_WC_SUCCESS; c--)
			for (uint64_t i = a; i <= b; i++)
				ask(verb, i);
		finish();
	} else if (!strcmp(word, "random") && sscanf(line, "%llu %llu %llu", &a, &b, &c) == 3 && b <= longest &&
		   b <= far_length) {
		for (state = a; c > 0 && status == IBV_WC_SUCCESS; c--) {
			int drawn = below(FETCH_ADD);
			ask(drawn, below(b + 1));
		}
		finish();
	} else if (!strcmp(word, "try") && sscanf(line, "%31s %llu %llu %llu", word, &a, &b, &c) == 4 &&
		   (verb = verb_of(word)) >= 0) {
		post(verb, c, a, far_va + b);
		finish();
	} else if (!strcmp(word, "post") && sscanf(line, "%llu", &a) == 1 && receives + a <= MOST_RECEIVES) {
		for (; a > 0; a--)
			post_receive(receives++);
		puts("ok");
	} else if (!strcmp(word, "await") && sscanf(line, "%llu %llu", &a, &b) == 2) {
		for (b += now_ms(); received < a && now_ms() < b;) {
			drain();
			usleep(100);
		}
		printf("%s: %llu messages\n", received >= a ? "ok" : "late", (unsigned long long)received);
	} else if (!strcmp(word, "report")) {
		drain();
		report();
	} else if (!strcmp(word, "quit")) {
		exit(0);
	} else {
		printf("error: not a command: %s\n", word);
	}
}

static void *region(size_t n) {
	void *p = NULL;
	if (posix_memalign(&p, 4096, n ? n : 1))
		fail("no memory");
	memset(p, 0, n);
	return p;
}

static void open_device(const char *name) {
	struct ibv_device **list = ibv_get_device_list(NULL);
	for (int i = 0; list && list[i] && !context; i++)
		if (!name || !strcmp(ibv_get_device_name(list[i]), name))
			context = ibv_open_device(list[i]);
	if (!context)
		fail("no such RDMA device");
	const int all = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_ATOMIC;
	memory = region(length), out = region(DEPTH * longest), wanted = region(DEPTH * longest),
		in = region(MOST_RECEIVES * room);
	pd = ibv_alloc_pd(context);
	memory_mr = ibv_reg_mr(pd, memory, length, all);
	out_mr = ibv_reg_mr(pd, out, DEPTH * longest, all);
	in_mr = ibv_reg_mr(pd, in, MOST_RECEIVES * room, all);
	send_cq = ibv_create_cq(context, 2 * DEPTH, NULL, NULL, 0);
	recv_cq = ibv_create_cq(context, MOST_RECEIVES + 1, NULL, NULL, 0);
	struct ibv_qp_init_attr init = {.send_cq = send_cq, .recv_cq = recv_cq, .qp_type = IBV_QPT_RC,
		.cap = {.max_send_wr = 2 * DEPTH, .max_recv_wr = MOST_RECEIVES, .max_send_sge = 1, .max_recv_sge = 1}};
	if (!memory_mr || !out_mr || !in_mr || !send_cq || !recv_cq || !(qp = ibv_create_qp(pd, &init)))
		fail("the device gives no QP");
}

int main(int argc, char **argv) {
	const char *device = NULL;
	for (int o; (o = getopt(argc, argv, "d:g:l:p:m:r:s:z:t:")) != -1;) {
		uint64_t n = optarg && o != 'd' ? strtoull(optarg, NULL, 0) : 0;
		switch (o) {
		case 'd': device = optarg; break;
		case 'g': gid_index = n; break;
		case 'l': length = n; break;
		case 'p': psn = n; break;
		case 'm': mtu = n; break;
		case 'r': receives = n; break;
		case 's': longest = n; break;
		case 'z': room = n; break;
		case 't': timeout = n; break;
		default: return 2;
		}
	}
	if (receives < 0 || receives > MOST_RECEIVES)
		fail("receives are 0 to 256");
	setvbuf(stdout, NULL, _IOLBF, 0);
	sha_begin(&received_chain);
	sha_begin(&sent_chain);
	open_device(device);
	union ibv_gid gid;
	if (ibv_query_gid(context, 1, gid_index, &gid))
		fail("no GID of that index");
	printf("peer: ip: %d.%d.%d.%d, qp: %u, psn: %u, rkey: %u, va: %llu, length: %lluB, mtu: %dB\n", gid.raw[12],
		gid.raw[13], gid.raw[14], gid.raw[15], qp->qp_num, psn, memory_mr->rkey, (unsigned long long)(uintptr_t)memory,
		(unsigned long long)length, mtu);
	static char line[512];
	size_t have = 0;
	for (struct pollfd p = {.fd = 0, .events = POLLIN};;) {
		if (poll(&p, 1, drain() ? 0 : 5) <= 0)
			continue;
		ssize_t n = read(0, line + have, sizeof line - 1 - have);
		if (n <= 0)
			return 0;
		have += n;
		line[have] = 0;
		for (char *end; (end = strchr(line, '\n')); ) {
			*end = 0;
			command(line);
			have -= end + 1 - line;
			memmove(line, end + 1, have + 1);
		}
		if (have == sizeof line - 1)
			fail("a line is too long");
	}
}
