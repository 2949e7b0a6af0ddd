-- Where a run belongs in the trace of the request that asked for it (W3C Trace Context), while traces are collected.
alter table config_runs add column traceparent text;
