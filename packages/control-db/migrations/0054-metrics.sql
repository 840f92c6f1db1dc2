-- A metric is an SQL expression with a name, checked against the tables of its project.
alter table ai_contexts drop constraint ai_contexts_kind_check;
alter table ai_contexts
  add constraint ai_contexts_kind_check check (kind in ('text', 'synonym', 'verified_question', 'metric'));
