-- Until then the request that started a flow takes it on itself; its jobs wait so long.
alter table sagas add column driven_until timestamptz;
