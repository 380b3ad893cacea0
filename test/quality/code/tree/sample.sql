-- create table fake (id int);
/* create view also_fake as select 1; */
-- Customers of the shop.
CREATE TABLE IF NOT EXISTS shop.customers (
  id serial PRIMARY KEY,
  note text DEFAULT 'create table in_string (a int);'
);
create or replace view "active customers" as
  select * from shop.customers;
CREATE OR REPLACE FUNCTION shop.total(a int) RETURNS int AS $body$
BEGIN
  CREATE TABLE inside (a int);
  RETURN a;
END;
$body$ LANGUAGE plpgsql;
create unique index concurrently by_name on shop.customers (note);
create type mood as enum ('sad', 'ok');
CREATE TRIGGER audit AFTER INSERT ON shop.customers EXECUTE FUNCTION shop.total();
create procedure [dbo].[DoIt] as
select 1
go
create schema extra;
insert into x values ('create view nothing');
