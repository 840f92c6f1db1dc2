-- The sealed address of a server that follows the cluster; that of cluster 1 is a setting.
alter table clusters add column replica text check (replica is null or address is not null);
