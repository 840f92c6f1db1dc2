-- The columns that the tables of its project had when a verified question was planned last.
alter table ai_contexts add column checked_shape text;
