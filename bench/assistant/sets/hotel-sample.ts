import { pickWord, pick } from './sample-values.ts'

/**
 * Abbreviations, status codes, separate dates of booking and stay, money as text, soft deletes, no declared foreign
 * keys.
 */
export const HOTEL_SCHEMA = 'pms'

export const HOTEL_STATEMENTS: readonly string[] = [
  `create table pms.htl (htl_id int primary key, htl_name text not null, city text not null, country_iso char(2) not null, stars int not null,
     rm_cnt int not null, open_dt date not null)`,
  'create table pms.rm_type (rt_code text primary key, rt_descr text not null, max_pax int not null)',
  `create table pms.guest (guest_id int primary key, first_nm text not null, last_nm text not null, email text, nationality text not null,
     vip_yn char(1) not null, created_at timestamptz not null, deleted_at timestamptz)`,
  `create table pms.resv (resv_no int primary key, guest_id int not null, htl_id int not null, rt_code text not null, channel text not null,
     booked_at timestamptz not null, arr_dt date not null, dep_dt date not null, nights int not null, adults int not null, children int not null,
     resv_stat text not null, total_amt numeric(10,2) not null, cxl_at timestamptz)`,
  'create table pms.svc (svc_code text primary key, svc_name text not null, svc_cat text not null)',
  'create table pms.resv_svc (resv_no int not null, svc_code text not null, qty int not null, line_amt numeric(8,2) not null, primary key (resv_no, svc_code))',
  'create table pms.pmt (pmt_id int primary key, resv_no int not null, pmt_method text not null, pmt_amt text not null, paid_at timestamptz not null)',
  'create table pms.review (review_id int primary key, resv_no int not null, score int not null, remarks text, submitted_on date not null)',
  `insert into pms.htl values (1, 'Seeblick', 'Konstanz', 'DE', 4, 84, '2004-05-01'), (2, 'Alpenhof', 'Innsbruck', 'AT', 5, 132, '1998-11-20'), (3, 'Grand Canal', 'Venice', 'IT', 5, 60, '2011-03-15'),
     (4, 'City Inn', 'Hamburg', 'DE', 3, 210, '2019-09-01'), (5, 'Parkhaus', 'Vienna', 'AT', 4, 150, '2015-06-10'), (6, 'Lagune', 'Venice', 'IT', 3, 45, '2024-04-01')`,
  `insert into pms.rm_type values ('SGL', 'Single room', 1), ('DBL', 'Double room', 2), ('FAM', 'Family room', 4), ('STE', 'Suite', 3), ('PEN', 'Penthouse', 6)`,
  `insert into pms.guest select n, ${pickWord('Anna|Bruno|Clara|David|Elena|Felix|Greta', "'hf' || n")}, ${pickWord('Moser|Rossi|Weber|Novak|Smith|Dubois', "'hl' || n")} || '-' || n,
     case when ${pick("'he' || n", 6)} > 0 then 'guest' || n || '@example.test' end, ${pickWord('German|German|Austrian|Italian|British|French', "'hn' || n")},
     ${pickWord('N|N|N|N|N|N|N|Y', "'hv' || n")}, timestamptz '2022-01-01 08:00+00' + ${pick("'hc' || n", 1400)} * interval '1 day',
     case when ${pick("'hd' || n", 14)} = 0 then timestamptz '2025-11-30 12:00+00' end from generate_series(1, 800) n`,
  `insert into pms.resv select r.n, 1 + ${pick("'rg' || r.n", 720)}::int, 1 + ${pick("'rh' || r.n", 6)}::int, ${pickWord('SGL|DBL|DBL|DBL|FAM|STE', "'rt' || r.n")},
     ${pickWord('website|website|booking.com|expedia|phone|walk-in', "'rc' || r.n")}, r.booked, r.booked::date + r.lead, r.booked::date + r.lead + r.nights, r.nights,
     1 + ${pick("'ra' || r.n", 3)}::int, ${pick("'rk' || r.n", 3)}::int, r.stat, r.nights * (70 + ${pick("'rp' || r.n", 26000)} / 100.0),
     case when r.stat = 'CXL' then r.booked + interval '30 hours' end
     from (select n, ${pickWord('CKOUT|CKOUT|CKOUT|CKOUT|CONF|CXL|NOSHOW', "'rs' || n")} as stat, timestamptz '2024-01-03 09:00+00' + ${pick("'rb' || n", 700 * 24)} * interval '1 hour' as booked,
     ${pick("'rl' || n", 60)}::int as lead, 1 + ${pick("'rn' || n", 9)}::int as nights from generate_series(1, 3200) n) r`,
  `insert into pms.svc values ('BRK', 'Breakfast', 'food'), ('DIN', 'Dinner', 'food'), ('SPA', 'Spa access', 'wellness'), ('MAS', 'Massage', 'wellness'), ('PRK', 'Parking', 'other'), ('LND', 'Laundry', 'other')`,
  `insert into pms.resv_svc select distinct on (1, 2) 1 + ${pick("'xr' || n", 3200)}::int, ${pickWord('BRK|BRK|BRK|DIN|SPA|MAS|PRK', "'xs' || n")}, 1 + ${pick("'xq' || n", 5)}::int, 8 + ${pick("'xa' || n", 9000)} / 100.0
     from generate_series(1, 4200) n`,
  `insert into pms.pmt select n, 1 + ${pick("'pr' || n", 3200)}::int, ${pickWord('card|card|card|cash|transfer', "'pm' || n")}, (40 + ${pick("'pa' || n", 90000)} / 100.0)::numeric(10,2)::text,
     timestamptz '2024-01-05 10:00+00' + ${pick("'pd' || n", 705 * 24)} * interval '1 hour' from generate_series(1, 2600) n`,
  `insert into pms.review select n, 1 + ${pick("'vr' || n", 3000)}::int, 1 + ${pick("'vs' || n", 10)}::int, case when ${pick("'vc' || n", 3)} = 0 then 'Nice stay number ' || n end,
     date '2024-02-01' + ${pick("'vd' || n", 680)}::int from generate_series(1, 900) n`,
]
