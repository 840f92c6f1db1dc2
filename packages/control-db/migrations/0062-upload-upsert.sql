alter table upload_files drop constraint upload_files_mode_check;
alter table upload_files
  add constraint upload_files_mode_check check (mode in ('new', 'append', 'replace', 'upsert'));
