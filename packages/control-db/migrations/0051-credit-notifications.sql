alter table notifications drop constraint notifications_kind_check;
alter table notifications add constraint notifications_kind_check check (kind in ('run_failed', 'invited', 'storage', 'credits',
  'export_finished', 'export_failed'));
