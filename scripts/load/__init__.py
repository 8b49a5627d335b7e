"""Parts of scripts/bench_http.py and scripts/siege.py: the service as a process, wrk, and figures
from its answers; users and attackers."""
