import { pickWord, pick } from './sample-values.ts'

/** A star schema with surrogate keys, no declared foreign keys, and soft deletes. */
export const FREIGHT_SCHEMA = 'dwh'

export const FREIGHT_STATEMENTS: readonly string[] = [
  'create table dwh.dim_carrier (carrier_sk int primary key, carrier_name text not null, transport_mode text not null, is_certified boolean not null)',
  'create table dwh.dim_depot (depot_sk int primary key, depot_name text not null, region text not null, capacity_pallets int not null, opened_date date not null)',
  `create table dwh.dim_client (client_sk int primary key, client_name text not null, segment text not null, country text not null,
     onboarded_date date not null, is_deleted boolean not null)`,
  `create table dwh.fact_shipment (shipment_sk int primary key, client_sk int not null, carrier_sk int not null, depot_sk int not null, shipment_status text not null,
     shipped_ts timestamptz not null, delivered_ts timestamptz, weight_kg numeric(8,1) not null, distance_km int not null, freight_cost_usd numeric(10,2) not null,
     is_express boolean not null)`,
  `create table dwh.fact_damage_claim (claim_sk int primary key, shipment_sk int not null, claim_reason text not null, claimed_usd numeric(10,2) not null,
     approved_usd numeric(10,2), filed_date date not null)`,
  'create table dwh.fact_scan (scan_sk int primary key, shipment_sk int not null, scan_type text not null, scanned_ts timestamptz not null)',
  `insert into dwh.dim_carrier values (1, 'Nordfracht', 'road', true), (2, 'Blue Rail', 'rail', true), (3, 'Skylift', 'air', false), (4, 'Maritima', 'sea', true), (5, 'Quickvan', 'road', false)`,
  `insert into dwh.dim_depot values (1, 'Hamburg', 'North', 900, '2012-03-01'), (2, 'Leipzig', 'East', 450, '2016-05-01'), (3, 'Basel', 'South', 610, '2019-10-01'), (4, 'Rotterdam', 'West', 1500, '2009-01-01'), (5, 'Graz', 'South', 200, '2024-02-01')`,
  `insert into dwh.dim_client select n, ${pickWord('Alder|Birke|Calla|Dahlia|Erika|Freesia', "'fc' || n")} || ' ' || ${pickWord('Foods|Steel|Textiles|Pharma', "'fd' || n")} || ' ' || n,
     ${pickWord('enterprise|midmarket|small', "'fs' || n")}, ${pickWord('Austria|Germany|Netherlands|Switzerland', "'fk' || n")}, date '2019-01-01' + ${pick("'fo' || n", 2500)}::int, ${pick("'fx' || n", 10)} = 0
     from generate_series(1, 90) n`,
  `insert into dwh.fact_shipment select s.n, 1 + ${pick("'sc' || s.n", 82)}::int, 1 + ${pick("'sr' || s.n", 4)}::int, 1 + ${pick("'sd' || s.n", 4)}::int, s.status, s.shipped,
     case when s.status = 'delivered' then s.shipped + (12 + ${pick("'sv' || s.n", 150)}) * interval '1 hour' end, 5 + ${pick("'sw' || s.n", 24000)} / 10.0, 20 + ${pick("'sk' || s.n", 1900)}::int,
     30 + ${pick("'sf' || s.n", 400000)} / 100.0, ${pick("'se' || s.n", 5)} = 0
     from (select n, ${pickWord('delivered|delivered|delivered|in_transit|lost', "'st' || n")} as status, timestamptz '2024-01-01 00:00+00' + ${pick("'sa' || n", 713 * 1440)} * interval '1 minute' as shipped
     from generate_series(1, 4000) n) s`,
  `insert into dwh.fact_damage_claim select n, 1 + ${pick("'cs' || n", 4000)}::int, ${pickWord('broken|wet|missing parts|late', "'cr' || n")}, 50 + ${pick("'ca' || n", 90000)} / 10.0,
     case when ${pick("'cx' || n", 3)} > 0 then 20 + ${pick("'cy' || n", 9000)} / 10.0 end, date '2024-02-01' + ${pick("'cd' || n", 680)}::int from generate_series(1, 380) n`,
  `insert into dwh.fact_scan select n, 1 + ${pick("'ns' || n", 3700)}::int, ${pickWord('pickup|hub|customs|dropoff', "'nt' || n")}, timestamptz '2024-01-01 00:00+00' + ${pick("'na' || n", 713 * 1440)} * interval '1 minute' from generate_series(1, 9000) n`,
]
