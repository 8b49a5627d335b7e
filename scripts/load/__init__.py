"""What scripts/bench_http.py is made of: the service as a process, wrk, and figures from its
answers."""
