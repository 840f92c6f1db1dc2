-- Which key the messages of a dataflow's webhook are signed with: it rises with every new one, the key itself is stored nowhere.
alter table dataflows add column webhook_key_number integer not null default 0;
