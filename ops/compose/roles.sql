-- The database of compose.yaml and its two roles, made by psql when the volume is new. The owner has the schema and changes
-- it by migrations; the service works with what is in it, and cannot change a table, a rule or a trigger.
create role archipay_owner login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'owner_password';
create role archipay login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password :'service_password';
create database archipay owner archipay_owner;
revoke all on database archipay from public;
grant connect on database archipay to archipay;
\connect archipay
-- Of all that the owner makes later, migrations and the queue of jobs.
alter default privileges for role archipay_owner grant usage on schemas to archipay;
alter default privileges for role archipay_owner grant select, insert, update, delete on tables to archipay;
alter default privileges for role archipay_owner grant usage, select, update on sequences to archipay;
alter default privileges for role archipay_owner grant execute on functions to archipay;
