-- When the sources of a spark over connected databases were planned last, whether they changed or not.
alter table sparks add column connected_checked_at timestamptz;
