-- A run that stays may follow several changes of its source: each is told of once.
alter table sent_alerts add column detail text not null default '';
alter table sent_alerts drop constraint sent_alerts_pkey;
alter table sent_alerts add primary key (run_id, kind, detail);
alter table sent_alerts drop constraint sent_alerts_kind_check;
alter table sent_alerts add constraint sent_alerts_kind_check check (kind in ('failure', 'recovery', 'later_than_usual',
  'columns_changed', 'slot_dropped'));

alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('run_failed', 'invited', 'storage', 'credits',
  'schedules', 'export_finished', 'export_failed', 'mention', 'columns_changed', 'slot_dropped'));
