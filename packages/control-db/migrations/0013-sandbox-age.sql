-- The sandbox's own dates follow clocks that can be moved; how long something has been kept is told by this one.
alter table sandbox_objects add column stored_at timestamptz not null default now();
