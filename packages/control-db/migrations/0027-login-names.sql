-- What the logins of a profile are called on the cluster, which all workspaces share. None for those from before names
-- could be chosen: they go on under the names that were made from their slug.
alter table database_profiles add column login_name text;
create unique index database_profiles_login_name on database_profiles (login_name) where login_name is not null;
