-- What a block is called in files. Null: it was in none yet, and its key follows its name.
alter table task_blocks add column file_key text;
