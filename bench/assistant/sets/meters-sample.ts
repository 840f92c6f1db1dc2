import { pickWord, pick } from './sample-values.ts'

/** German abbreviations and compounds, numeric business keys, some declared keys, J/N flags. */
export const METERS_SCHEMA = 'evu'

export const METERS_STATEMENTS: readonly string[] = [
  `create table evu.kunden (kd_nr int primary key, kd_name text not null, kundengruppe text not null, plz text not null, ort text not null,
     angelegt_am date not null, newsletter_jn char(1) not null, geloescht_am date)`,
  'create table evu.tarife (tarif_id int primary key, bezeichnung text not null, grundpreis numeric(6,2) not null, arbeitspreis_ct numeric(6,2) not null, oekostrom boolean not null)',
  `create table evu.vertraege (vertrag_nr int primary key, kd_nr int not null references evu.kunden, tarif_id int not null references evu.tarife,
     beginn_dat date not null, ende_dat date, vertragsstatus text not null)`,
  'create table evu.zaehler (zaehler_nr text primary key, vertrag_nr int not null, zaehlerart text not null, einbau_dat date not null, ausbau_dat date)',
  'create table evu.ablesungen (abl_id int primary key, zaehler_nr text not null, abl_datum date not null, verbrauch_kwh int not null, ableseart text not null)',
  `create table evu.rechnungen (rech_nr int primary key, vertrag_nr int not null references evu.vertraege, rech_datum date not null, faellig_am date not null,
     bezahlt_am date, betrag numeric(10,2) not null, mahnstufe int not null)`,
  `create table evu.stoerungen (st_id int primary key, zaehler_nr text not null, gemeldet_am timestamptz not null, behoben_am timestamptz, ursache text not null,
     prioritaet text not null)`,
  `insert into evu.kunden select n, ${pickWord('Adam|Braun|Carl|Dietz|Ernst|Falk|Graf|Horn', "'kn' || n")} || ' ' || n, ${pickWord('privat|privat|privat|gewerbe|industrie', "'kg' || n")},
     (10000 + ${pick("'kp' || n", 60)})::text, ${pickWord('Berlin|Potsdam|Cottbus|Leipzig', "'ko' || n")}, date '2018-01-01' + ${pick("'ka' || n", 2880)}::int, ${pickWord('J|N|N', "'kj' || n")},
     case when ${pick("'kx' || n", 12)} = 0 then date '2025-10-10' end from generate_series(1, 600) n`,
  `insert into evu.tarife values (1, 'Basis', 8.90, 34.5, false), (2, 'Natur', 10.90, 36.2, true), (3, 'Gewerbe Plus', 19.00, 29.9, false), (4, 'Waerme', 12.50, 27.1, false), (5, 'Sonne', 11.00, 33.3, true)`,
  `insert into evu.vertraege select v.n, 1 + ${pick("'vk' || v.n", 560)}::int, 1 + ${pick("'vt' || v.n", 4)}::int, v.start, case when v.stat = 'gekuendigt' then v.start + 200 + ${pick("'ve' || v.n", 300)}::int end, v.stat
     from (select n, ${pickWord('aktiv|aktiv|aktiv|aktiv|gekuendigt|ruhend', "'vs' || n")} as stat, date '2019-01-01' + ${pick("'vd' || n", 2300)}::int as start from generate_series(1, 750) n) v`,
  `insert into evu.zaehler select 'Z' || (70000 + n), n, ${pickWord('Ferraris|digital|digital|smart', "'za' || n")}, date '2015-01-01' + ${pick("'ze' || n", 3900)}::int, case when ${pick("'zx' || n", 10)} = 0 then date '2025-11-20' end
     from generate_series(1, 750) n`,
  `insert into evu.ablesungen select n, 'Z' || (70001 + ${pick("'az' || n", 720)}), date '2024-01-01' + ${pick("'ad' || n", 710)}::int, 40 + ${pick("'av' || n", 900)}::int, ${pickWord('Fernauslesung|Selbstablesung|Schaetzung', "'aa' || n")}
     from generate_series(1, 6000) n`,
  `insert into evu.rechnungen select r.n, 1 + ${pick("'rv' || r.n", 740)}::int, r.day, r.day + 14, case when ${pick("'rx' || r.n", 7)} > 0 then r.day + ${pick("'rp' || r.n", 30)}::int end, 20 + ${pick("'rb' || r.n", 60000)} / 100.0,
     case when ${pick("'rm' || r.n", 8)} = 0 then 1 + ${pick("'ro' || r.n", 3)}::int else 0 end from (select n, date '2024-01-01' + ${pick("'rd' || n", 705)}::int as day from generate_series(1, 3000) n) r`,
  `insert into evu.stoerungen select s.n, 'Z' || (70001 + ${pick("'sz' || s.n", 700)}), s.at, case when ${pick("'sx' || s.n", 5)} > 0 then s.at + ${pick("'sb' || s.n", 90)} * interval '1 hour' end,
     ${pickWord('Sturm|Alterung|Bagger|unbekannt', "'su' || s.n")}, ${pickWord('hoch|mittel|mittel|niedrig', "'sp' || s.n")}
     from (select n, timestamptz '2024-06-01 00:00+00' + ${pick("'sg' || n", 560 * 24)} * interval '1 hour' as at from generate_series(1, 420) n) s`,
]
