-- When a run of the question was queued; nothing once it has an outcome.
alter table ai_scheduled_questions add column queued_at timestamptz;
