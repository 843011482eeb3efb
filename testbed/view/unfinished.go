package view

import "net/http"

func (s *Server) showUnfinished(w http.ResponseWriter, run *Run) {
	http.Error(w, run.Name+" has not ended", http.StatusConflict)
}
