import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const FLEET_STATEMENTS: readonly string[] = [
  `create table fuhrpark.abteilung (abt_nr int primary key, abt_name text not null, kostenstelle text not null)`,
  `create table fuhrpark.fahrzeug (fzg_id int primary key, kennzeichen text not null, hersteller text not null, modell text not null, antrieb text not null, baujahr int not null, km_stand int not null, abt_nr int references fuhrpark.abteilung, angeschafft_am date not null, ausgemustert_am date, kaufpreis numeric(10,2) not null)`,
  `create table fuhrpark.fahrer (fahrer_id int primary key, vorname text not null, nachname text not null, abt_nr int not null references fuhrpark.abteilung, eingestellt_am date not null, fuehrerschein_klasse text not null, aktiv char(1) not null)`,
  `create table fuhrpark.werkstatt (werkstatt_id int primary key, werkstatt_name text not null, ort text not null, vertragspartner boolean not null)`,
  `create table fuhrpark.wartung (wartung_id int primary key, fzg_id int not null references fuhrpark.fahrzeug, werkstatt_id int references fuhrpark.werkstatt, art text not null, begonnen_am date not null, fertig_am date, kosten numeric(9,2) not null)`,
  `create table fuhrpark.tankung (tankung_id int primary key, fzg_id int not null references fuhrpark.fahrzeug, fahrer_id int references fuhrpark.fahrer, getankt_am timestamp not null, liter numeric(6,2) not null, betrag numeric(7,2) not null, tankstelle text not null)`,
  `create table fuhrpark.fahrt (fahrt_id int primary key, fzg_id int not null references fuhrpark.fahrzeug, fahrer_id int not null references fuhrpark.fahrer, abfahrt timestamp not null, ankunft timestamp, strecke_km numeric(6,1) not null, zweck text)`,
  `create table fuhrpark.schaden (schaden_id int primary key, fzg_id int not null references fuhrpark.fahrzeug, fahrer_id int references fuhrpark.fahrer, schadensdatum date not null, schadenhoehe numeric(9,2), selbst_verschuldet char(1) not null, versicherung_gemeldet boolean not null)`,
  `insert into fuhrpark.abteilung select n, (array['Bauhof', 'Feuerwehr', 'Ordnungsamt', 'Stadtreinigung', 'Gartenamt', 'Verwaltung'])[n], 'KST' || (100 * n) from generate_series(1, 6) n`,
  `insert into fuhrpark.fahrzeug select n, 'HX-' || (1000 + n), ${pickWord('Opel|Ford|MAN', "'fa' || n")}, ${pickWord('Combo|Transit|Vivaro|TGE', "'fb' || n")}, ${pickWord('Diesel|Diesel|Benzin|Elektro', "'fc' || n")}, 2008 + ${pick("'fd' || n", 18)}::int, 3000 + ${pick("'fe' || n", 240000)}::int, case when ${pick("'ff' || n", 9)} > 0 then 1 + ${pick("'fg' || n", 5)}::int end, date '2009-01-01' + ${pick("'fh' || n", 6000)}::int, case when ${pick("'fi' || n", 8)} = 0 then date '2025-01-05' + ${pick("'fj' || n", 330)}::int end, 9000 + ${pick("'fk' || n", 6000000)} / 100.0 from generate_series(1, 130) n`,
  `insert into fuhrpark.fahrer select n, ${pickWord('Anke|Bernd|Claus|Doris', "'da' || n")}, ${pickWord('Vogt|Lorenz|Reuter|Sauer', "'db' || n")} || n, 1 + ${pick("'dc' || n", 6)}::int, date '2005-01-01' + ${pick("'dd' || n", 7500)}::int, ${pickWord('B|C|CE', "'de' || n")}, ${pickWord('J|J|J|N', "'df' || n")} from generate_series(1, 95) n`,
  `insert into fuhrpark.werkstatt select n, ${pickWord('Auto|KFZ|Technik', "'wa' || n")} || ' Service ' || n, ${pickWord('Kassel|Fulda|Marburg', "'wb' || n")}, ${pick("'wc' || n", 2)} = 0 from generate_series(1, 14) n`,
  `insert into fuhrpark.wartung select w.n, 1 + ${pick("'xa' || w.n", 120)}::int, case when ${pick("'xb' || w.n", 10)} > 0 then 1 + ${pick("'xc' || w.n", 13)}::int end, ${pickWord('Inspektion|Reifenwechsel|Reparatur|TUEV', "'xd' || w.n")}, w.day, case when ${pick("'xe' || w.n", 7)} > 0 then w.day + ${pick("'xf' || w.n", 20)}::int end, 60 + ${pick("'xg' || w.n", 250000)} / 100.0 from (select n, date '2023-01-01' + ${pick("'xh' || n", 1075)}::int as day from generate_series(1, 1300) n) w`,
  `insert into fuhrpark.tankung select n, 1 + ${pick("'ya' || n", 118)}::int, case when ${pick("'yb' || n", 8)} > 0 then 1 + ${pick("'yc' || n", 90)}::int end, timestamp '2024-01-01' + ${pick("'yd' || n", 1027000)} * interval '1 minute', 8 + ${pick("'ye' || n", 7000)} / 100.0, 12 + ${pick("'yf' || n", 12000)} / 100.0, ${pickWord('Aral|Shell|Jet', "'yg' || n")} from generate_series(1, 5200) n`,
  `insert into fuhrpark.fahrt select t.n, 1 + ${pick("'za' || t.n", 126)}::int, 1 + ${pick("'zb' || t.n", 91)}::int, t.at, case when ${pick("'zc' || t.n", 25)} > 0 then t.at + (10 + ${pick("'zd' || t.n", 400)}) * interval '1 minute' end, 1 + ${pick("'ze' || t.n", 2500)} / 10.0, case when ${pick("'zf' || t.n", 4)} > 0 then ${pickWord('Einsatz|Transport|Kontrolle', "'zg' || t.n")} end from (select n, timestamp '2025-01-01' + ${pick("'zh' || n", 500000)} * interval '1 minute' as at from generate_series(1, 7500) n) t`,
  `insert into fuhrpark.schaden select n, 1 + ${pick("'ua' || n", 110)}::int, case when ${pick("'ub' || n", 5)} > 0 then 1 + ${pick("'uc' || n", 80)}::int end, date '2022-01-01' + ${pick("'ud' || n", 1440)}::int, case when ${pick("'ue' || n", 6)} > 0 then 100 + ${pick("'uf' || n", 900000)} / 100.0 end, ${pickWord('J|N', "'ug' || n")}, ${pick("'uh' || n", 3)} > 0 from generate_series(1, 260) n`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const F = 'fuhrpark.fahrzeug'
const W = 'fuhrpark.wartung'
const T = 'fuhrpark.tankung'
const R = 'fuhrpark.fahrt'
const S = 'fuhrpark.schaden'
const D = 'fuhrpark.fahrer'

export const FLEET_QUESTIONS = toQuestions([
  [
    'q',
    'how many vehicles do we own',
    [`select count(*) from ${F}`, `select count(*) from ${F} where ausgemustert_am is null`],
  ],
  ['q', 'vehicles by manufacturer', `select hersteller, count(*) from ${F} group by 1`],
  [
    'q',
    'Fahrzeuge pro Abteilung',
    [
      `select abt_nr, count(*) from ${F} where abt_nr is not null group by 1`,
      `select abt_nr, count(*) from ${F} group by 1`,
    ],
  ],
  ['q', 'vehicles without a department', listOrCount('fzg_id', `${F} where abt_nr is null`)],
  ['q', 'electric vehicles', listOrCount('fzg_id', `${F} where antrieb = 'Elektro'`)],
  ['q', 'wie viele Diesel Fahrzeuge gibt es?', `select count(*) from ${F} where antrieb = 'Diesel'`],
  ['q', 'average mileage by manufacturer', `select hersteller, avg(km_stand) from ${F} group by 1`],
  ['q', 'average purchase price of Ford vehicles', `select avg(kaufpreis) from ${F} where hersteller = 'Ford'`],
  ['q', 'most expensive vehicle', `select fzg_id from ${F} order by kaufpreis desc limit 1`],
  ['q', 'vehicles built before 2012', listOrCount('fzg_id', `${F} where baujahr < 2012`)],
  ['q', 'vehicles with more than 200000 km', listOrCount('fzg_id', `${F} where km_stand > 200000`)],
  [
    'q',
    'how many vehicles have been decommissioned this year',
    `select count(*) from ${F} where ausgemustert_am >= '2025-01-01'`,
  ],
  [
    'q',
    'welche Abteilung hat die meisten Fahrzeuge',
    `select abt_nr from ${F} where abt_nr is not null group by 1 order by count(*) desc limit 1`,
  ],
  ['q', 'drivers per department', [`select abt_nr, count(*) from ${D} group by 1`]],
  ['q', 'active drivers', listOrCount('fahrer_id', `${D} where aktiv = 'J'`)],
  ['q', 'drivers who are not active', listOrCount('fahrer_id', `${D} where aktiv = 'N'`)],
  [
    'q',
    'drivers hired in 2024',
    listOrCount('fahrer_id', `${D} where eingestellt_am >= '2024-01-01' and eingestellt_am < '2025-01-01'`),
  ],
  ['q', 'drivers with license class CE', listOrCount('fahrer_id', `${D} where fuehrerschein_klasse = 'CE'`)],
  [
    'q',
    'drivers who never had a damage',
    listOrCount('fahrer_id', `${D} d where not exists (select from ${S} s where s.fahrer_id = d.fahrer_id)`),
  ],
  [
    'q',
    'Which drivers of the Feuerwehr drove the most trips?',
    [1, 10].map(
      (limit) =>
        `select fahrer_id from ${R} join ${D} using (fahrer_id) join fuhrpark.abteilung using (abt_nr) where abt_name = 'Feuerwehr' group by 1 order by count(*) desc limit ${limit}`,
    ),
  ],
  ['q', 'workshops in Kassel', listOrCount('werkstatt_id', `fuhrpark.werkstatt where ort = 'Kassel'`)],
  [
    'q',
    'workshops that are contract partners',
    listOrCount('werkstatt_id', `fuhrpark.werkstatt where vertragspartner`),
  ],
  ['q', 'maintenance costs per year', `select date_trunc('year', begonnen_am)::date, sum(kosten) from ${W} group by 1`],
  [
    'q',
    'total maintenance cost by workshop',
    [
      `select werkstatt_id, sum(kosten) from ${W} where werkstatt_id is not null group by 1`,
      `select werkstatt_id, sum(kosten) from ${W} group by 1`,
    ],
  ],
  [
    'q',
    'Kosten der Reparaturen im Jahr 2025',
    `select sum(kosten) from ${W} where art = 'Reparatur' and begonnen_am >= '2025-01-01'`,
  ],
  ['q', 'average cost of an inspection', `select avg(kosten) from ${W} where art = 'Inspektion'`],
  ['q', 'maintenance that is not finished', listOrCount('wartung_id', `${W} where fertig_am is null`)],
  ['q', 'top 3 vehicles by maintenance cost', `select fzg_id from ${W} group by 1 order by sum(kosten) desc limit 3`],
  [
    'q',
    'maintenance cost by department',
    [
      `select abt_nr, sum(kosten) from ${W} join ${F} using (fzg_id) where abt_nr is not null group by 1`,
      `select abt_nr, sum(kosten) from ${W} join ${F} using (fzg_id) group by 1`,
    ],
  ],
  [
    'q',
    'vehicles with no maintenance in 2025',
    listOrCount(
      'fzg_id',
      `${F} f where not exists (select from ${W} w where w.fzg_id = f.fzg_id and begonnen_am >= '2025-01-01')`,
    ),
  ],
  [
    'q',
    'vehicles that were in maintenance more than 15 times',
    [
      `select fzg_id from ${W} group by 1 having count(*) > 15`,
      `select count(*) from (select fzg_id from ${W} group by 1 having count(*) > 15) x`,
    ],
  ],
  [
    'q',
    'how many days does a repair take on average',
    `select avg(fertig_am - begonnen_am) from ${W} where art = 'Reparatur'`,
  ],
  ['q', 'services longer than 14 days', listOrCount('wartung_id', `${W} where fertig_am - begonnen_am > 14`)],
  ['q', 'liters refuelled per month', `select ${month('getankt_am')}, sum(liter) from ${T} group by 1`],
  ['q', 'fuel spend by gas station', `select tankstelle, sum(betrag) from ${T} group by 1`],
  [
    'q',
    'how much did we pay at Shell last month',
    `select sum(betrag) from ${T} where tankstelle = 'Shell' and getankt_am >= '2025-11-01' and getankt_am < '2025-12-01'`,
  ],
  ['q', 'average liters per refuelling', `select avg(liter) from ${T}`],
  ['q', 'refuellings without a driver', listOrCount('tankung_id', `${T} where fahrer_id is null`)],
  [
    'q',
    'vehicles never refuelled',
    listOrCount('fzg_id', `${F} f where not exists (select from ${T} t where t.fzg_id = f.fzg_id)`),
  ],
  [
    'q',
    'share of refuellings by gas station',
    [100, 1].map(
      (whole) => `select tankstelle, ${whole}.0 * count(*) / (select count(*) from ${T}) from ${T} group by 1`,
    ),
  ],
  [
    'q',
    'price per liter by gas station',
    [
      `select tankstelle, sum(betrag) / sum(liter) from ${T} group by 1`,
      `select tankstelle, avg(betrag / liter) from ${T} group by 1`,
    ],
  ],
  [
    'q',
    'total distance per vehicle in 2025',
    `select fzg_id, sum(strecke_km) from ${R} where abfahrt >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'trips by purpose',
    [
      `select zweck, count(*) from ${R} group by 1`,
      `select zweck, count(*) from ${R} where zweck is not null group by 1`,
    ],
  ],
  ['q', 'trips with no purpose given', listOrCount('fahrt_id', `${R} where zweck is null`)],
  ['q', 'trips over 200 km', listOrCount('fahrt_id', `${R} where strecke_km > 200`)],
  ['q', 'trips that have not arrived', listOrCount('fahrt_id', `${R} where ankunft is null`)],
  ['q', 'longest trip', `select fahrt_id from ${R} order by strecke_km desc limit 1`],
  ['q', 'average trip distance per driver', [`select fahrer_id, avg(strecke_km) from ${R} group by 1`]],
  ['q', 'damages per year', `select date_trunc('year', schadensdatum)::date, count(*) from ${S} group by 1`],
  [
    'q',
    'total damage amount by department',
    [
      `select abt_nr, sum(schadenhoehe) from ${S} join ${F} using (fzg_id) where abt_nr is not null group by 1`,
      `select abt_nr, sum(schadenhoehe) from ${S} join ${F} using (fzg_id) group by 1`,
      `select d.abt_nr, sum(schadenhoehe) from ${S} join ${D} d using (fahrer_id) group by 1`,
    ],
  ],
  [
    'q',
    'damages that were not reported to the insurance',
    listOrCount('schaden_id', `${S} where not versicherung_gemeldet`),
  ],
  ['q', 'what percentage of damages are self-inflicted', shares("selbst_verschuldet = 'J'", S)],
  ['q', 'damages above 5000 euros', listOrCount('schaden_id', `${S} where schadenhoehe > 5000`)],
  ['q', 'damages where the amount is unknown', listOrCount('schaden_id', `${S} where schadenhoehe is null`)],
  ['q', 'median damage amount', `select percentile_cont(0.5) within group (order by schadenhoehe) from ${S}`],
  [
    'q',
    'Schäden im letzten Jahr',
    listOrCount('schaden_id', `${S} where schadensdatum >= '2024-01-01' and schadensdatum < '2025-01-01'`),
  ],
])
