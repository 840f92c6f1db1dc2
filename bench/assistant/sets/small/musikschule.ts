import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const MUSIKSCHULE_STATEMENTS: readonly string[] = [
  `create table musik.lehrer (lehrer_id int primary key, name text not null, hauptfach text not null, stundensatz numeric(5,2) not null, eingestellt_am date not null, ausgeschieden_am date)`,
  `create table musik.schueler (schueler_nr int primary key, vorname text not null, nachname text not null, geburtsdatum date not null, ort text not null, angemeldet_am date not null, abgemeldet_am date, geschwister_von int references musik.schueler, ermaessigung char(1) not null)`,
  `create table musik.kurse (kurs_nr int primary key, titel text not null, instrument text not null, stufe text not null, lehrer_id int references musik.lehrer, max_teilnehmer int not null, monatsbeitrag numeric(6,2) not null)`,
  `create table musik.belegungen (belegung_id int primary key, schueler_nr int not null references musik.schueler, kurs_nr int not null references musik.kurse, beginn_am date not null, ende_am date)`,
  `create table musik.stunden (stunde_id int primary key, kurs_nr int not null references musik.kurse, datum date not null, dauer_min int not null, raum text not null, ausgefallen boolean not null, grund text)`,
  `create table musik.instrumente (inventar_nr text primary key, art text not null, marke text not null, anschaffungswert numeric(9,2) not null, gekauft_am date not null, zustand text not null)`,
  `create table musik.ausleihen (ausleihe_id int primary key, inventar_nr text not null references musik.instrumente, schueler_nr int not null references musik.schueler, ausgeliehen_am date not null, zurueck_am date, kaution numeric(6,2))`,
  `create table musik.rechnungen (rechnung_nr text primary key, schueler_nr int not null references musik.schueler, rechnungsdatum date not null, betrag numeric(7,2) not null, bezahlt_am date, mahnstufe int not null)`,
  `insert into musik.lehrer select n, ${pickWord('Frau|Herr', "'la' || n")} || ' ' || ${pickWord('Albrecht|Brandt|Conrad|Dietz', "'lb' || n")} || ' ' || n, ${pickWord('Klavier|Geige|Gitarre|Gesang', "'lc' || n")}, 22 + ${pick("'ld' || n", 3000)} / 100.0, date '2004-01-01' + ${pick("'le' || n", 7500)}::int, case when ${pick("'lf' || n", 7)} = 0 then date '2025-02-01' + ${pick("'lg' || n", 250)}::int end from generate_series(1, 32) n`,
  `insert into musik.schueler select n, ${pickWord('Lena|Paul|Mia|Jonas', "'sa' || n")}, ${pickWord('Vogel|Winter|Sommer|Kern', "'sb' || n")} || n, date '1950-01-01' + ${pick("'sc' || n", 25000)}::int, ${pickWord('Bonn|Köln|Siegburg', "'sd' || n")}, date '2019-01-01' + ${pick("'se' || n", 2500)}::int, case when ${pick("'sf' || n", 5)} = 0 then date '2025-01-01' + ${pick("'sg' || n", 340)}::int end, case when n > 100 and ${pick("'sh' || n", 6)} = 0 then 1 + ${pick("'si' || n", 99)}::int end, ${pickWord('J|N|N', "'sj' || n")} from generate_series(1, 620) n`,
  `insert into musik.kurse select n, 'Kurs ' || n, ${pickWord('Klavier|Geige|Gitarre|Gesang', "'ka' || n")}, ${pickWord('Anfänger|Mittelstufe|Fortgeschritten', "'kb' || n")}, case when ${pick("'kc' || n", 8)} > 0 then 1 + ${pick("'kd' || n", 29)}::int end, 1 + ${pick("'ke' || n", 12)}::int, 25 + ${pick("'kf' || n", 9000)} / 100.0 from generate_series(1, 85) n`,
  `insert into musik.belegungen select b.n, 1 + ${pick("'ba' || b.n", 570)}::int, 1 + ${pick("'bb' || b.n", 80)}::int, b.day, case when ${pick("'bc' || b.n", 3)} = 0 then b.day + 30 + ${pick("'bd' || b.n", 300)}::int end from (select n, date '2023-01-01' + ${pick("'be' || n", 1000)}::int as day from generate_series(1, 1300) n) b`,
  `insert into musik.stunden select n, 1 + ${pick("'ta' || n", 82)}::int, date '2024-01-08' + ${pick("'tb' || n", 705)}::int, ${pickWord('30|45|60', "'tc' || n")}::int, ${pickWord('Saal|R1|R2|Studio', "'td' || n")}, ${pick("'te' || n", 11)} = 0, case when ${pick("'te' || n", 11)} = 0 and ${pick("'tf' || n", 3)} > 0 then ${pickWord('krank|Feiertag', "'tg' || n")} end from generate_series(1, 4200) n`,
  `insert into musik.instrumente select 'I' || n, ${pickWord('Geige|Gitarre|Flöte|Cello', "'ia' || n")}, ${pickWord('Yamaha|Stentor|Cordoba', "'ib' || n")}, 80 + ${pick("'ic' || n", 400000)} / 100.0, date '2008-01-01' + ${pick("'id' || n", 6200)}::int, ${pickWord('neu|gut|beschädigt', "'ie' || n")} from generate_series(1, 160) n`,
  `insert into musik.ausleihen select a.n, 'I' || (1 + ${pick("'aa' || a.n", 145)}), 1 + ${pick("'ab' || a.n", 500)}::int, a.day, case when ${pick("'ac' || a.n", 4)} > 0 then a.day + 20 + ${pick("'ad' || a.n", 300)}::int end, case when ${pick("'ae' || a.n", 5)} > 0 then 20 + ${pick("'af' || a.n", 180)} end from (select n, date '2022-09-01' + ${pick("'ag' || n", 1150)}::int as day from generate_series(1, 720) n) a`,
  `insert into musik.rechnungen select 'R' || r.n, 1 + ${pick("'ra' || r.n", 600)}::int, r.day, 20 + ${pick("'rb' || r.n", 18000)} / 100.0, case when ${pick("'rc' || r.n", 6)} > 0 then r.day + ${pick("'rd' || r.n", 50)}::int end, ${pickWord('0|0|0|1|2|3', "'re' || r.n")}::int from (select n, date '2024-01-01' + ${pick("'rf' || n", 705)}::int as day from generate_series(1, 3900) n) r`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const S = 'musik.schueler'
const K = 'musik.kurse'
const R = 'musik.rechnungen'
const A = 'musik.ausleihen'

export const MUSIKSCHULE_QUESTIONS = toQuestions([
  ['q', 'how many pupils are there', [`select count(*) from ${S}`]],
  ['q', 'Wie viele Schüler kommen aus Köln?', `select count(*) from ${S} where ort = 'Köln'`],
  ['q', 'pupils by city', `select ort, count(*) from ${S} group by 1`],
  [
    'q',
    'pupils who registered this year',
    listOrCount('schueler_nr', `${S} where angemeldet_am >= '2025-01-01' and angemeldet_am < '2026-01-01'`),
  ],
  ['q', 'students under 12', listOrCount('schueler_nr', `${S} where geburtsdatum > '2013-12-15'`)],
  ['q', 'students with a discount', listOrCount('schueler_nr', `${S} where ermaessigung = 'J'`)],
  [
    'q',
    'Schüler ohne Belegung',
    listOrCount(
      'schueler_nr',
      `${S} s where not exists (select from musik.belegungen b where b.schueler_nr = s.schueler_nr)`,
    ),
  ],
  [
    'q',
    'new registrations per month in 2025',
    `select ${month('angemeldet_am')}, count(*) from ${S} where angemeldet_am >= '2025-01-01' and angemeldet_am < '2026-01-01' group by 1`,
  ],
  ['q', 'oldest pupil', `select schueler_nr from ${S} order by geburtsdatum limit 1`],
  ['q', 'teachers by main subject', 'select hauptfach, count(*) from musik.lehrer group by 1'],
  ['q', 'Lehrer für Klavier', listOrCount('lehrer_id', "musik.lehrer where hauptfach = 'Klavier'")],
  ['q', 'average hourly rate of teachers', 'select avg(stundensatz) from musik.lehrer'],
  ['q', 'teacher with the highest hourly rate', 'select lehrer_id from musik.lehrer order by stundensatz desc limit 1'],
  ['q', 'teachers hired before 2010', listOrCount('lehrer_id', "musik.lehrer where eingestellt_am < '2010-01-01'")],
  ['q', 'teachers who left', listOrCount('lehrer_id', 'musik.lehrer where ausgeschieden_am is not null')],
  [
    'q',
    'teachers without a course',
    listOrCount('lehrer_id', `musik.lehrer l where not exists (select from ${K} k where k.lehrer_id = l.lehrer_id)`),
  ],
  [
    'q',
    'which teacher gives the most courses',
    `select lehrer_id from ${K} where lehrer_id is not null group by 1 order by count(*) desc, 1 limit 1`,
  ],
  ['q', 'Kurse pro Instrument', `select instrument, count(*) from ${K} group by 1`],
  ['q', 'courses for beginners', listOrCount('kurs_nr', `${K} where stufe = 'Anfänger'`)],
  ['q', 'courses without a teacher', listOrCount('kurs_nr', `${K} where lehrer_id is null`)],
  ['q', 'average monthly fee by level', `select stufe, avg(monatsbeitrag) from ${K} group by 1`],
  ['q', 'most expensive course', `select kurs_nr from ${K} order by monatsbeitrag desc limit 1`],
  ['q', 'courses with more than 10 places', []],
  ['q', 'courses with a monthly fee above 100', listOrCount('kurs_nr', `${K} where monatsbeitrag > 100`)],
  ['q', 'Geige courses', listOrCount('kurs_nr', `${K} where instrument = 'Geige'`)],
  ['q', 'enrolments per course', ['select kurs_nr, count(*) from musik.belegungen group by 1']],
  ['q', 'most popular course', 'select kurs_nr from musik.belegungen group by 1 order by count(*) desc, 1 limit 1'],
  ['q', 'enrolments that have ended', listOrCount('belegung_id', 'musik.belegungen where ende_am is not null')],
  [
    'q',
    'Belegungen im letzten Jahr',
    listOrCount('belegung_id', "musik.belegungen where beginn_am >= '2024-01-01' and beginn_am < '2025-01-01'"),
  ],
  [
    'q',
    'courses with more than 20 enrolments',
    [
      'select kurs_nr from musik.belegungen group by 1 having count(*) > 20',
      'select count(*) from (select kurs_nr from musik.belegungen group by 1 having count(*) > 20) x',
    ],
  ],
  ['q', 'lessons per room', 'select raum, count(*) from musik.stunden group by 1'],
  ['q', 'cancelled lessons', listOrCount('stunde_id', 'musik.stunden where ausgefallen')],
  ['q', 'what percentage of lessons were cancelled', shares('ausgefallen', 'musik.stunden')],
  [
    'q',
    'ausgefallene Stunden pro Monat',
    `select ${month('datum')}, count(*) from musik.stunden where ausgefallen group by 1`,
  ],
  [
    'q',
    'lessons last week',
    listOrCount('stunde_id', "musik.stunden where datum >= '2025-12-08' and datum < '2025-12-15'"),
  ],
  [
    'q',
    'total lesson minutes by instrument',
    `select instrument, sum(dauer_min) from musik.stunden join ${K} using (kurs_nr) group by 1`,
  ],
  ['q', 'average lesson duration', 'select avg(dauer_min) from musik.stunden'],
  ['q', 'lessons longer than 45 minutes', listOrCount('stunde_id', 'musik.stunden where dauer_min > 45')],
  ['q', 'lessons cancelled because of krank', listOrCount('stunde_id', "musik.stunden where grund = 'krank'")],
  ['q', 'instruments by brand', 'select marke, count(*) from musik.instrumente group by 1'],
  ['q', 'damaged instruments', listOrCount('inventar_nr', "musik.instrumente where zustand = 'beschädigt'")],
  ['q', 'beschädigte Instrumente', listOrCount('inventar_nr', "musik.instrumente where zustand = 'beschädigt'")],
  [
    'q',
    'total value of instruments per condition',
    'select zustand, sum(anschaffungswert) from musik.instrumente group by 1',
  ],
  [
    'q',
    'instruments bought since 2020',
    listOrCount('inventar_nr', "musik.instrumente where gekauft_am >= '2020-01-01'"),
  ],
  [
    'q',
    'instruments that were never lent out',
    listOrCount(
      'inventar_nr',
      `musik.instrumente i where not exists (select from ${A} a where a.inventar_nr = i.inventar_nr)`,
    ),
  ],
  ['q', 'loans not returned', listOrCount('ausleihe_id', `${A} where zurueck_am is null`)],
  ['q', 'how long is an instrument borrowed on average', `select avg(zurueck_am - ausgeliehen_am) from ${A}`],
  ['q', 'loans without a deposit', listOrCount('ausleihe_id', `${A} where kaution is null`)],
  ['q', 'average deposit', `select avg(kaution) from ${A}`],
  ['q', 'Rechnungen pro Monat', `select ${month('rechnungsdatum')}, count(*) from ${R} group by 1`],
  [
    'q',
    'total invoice amount in 2025',
    `select sum(betrag) from ${R} where rechnungsdatum >= '2025-01-01' and rechnungsdatum < '2026-01-01'`,
  ],
  ['q', 'unpaid invoices', listOrCount('rechnung_nr', `${R} where bezahlt_am is null`)],
  ['q', 'how much is still unpaid', [`select sum(betrag) from ${R} where bezahlt_am is null`]],
  ['q', 'invoices over 150 euros', listOrCount('rechnung_nr', `${R} where betrag > 150`)],
  ['q', 'invoices with dunning level 3', listOrCount('rechnung_nr', `${R} where mahnstufe = 3`)],
  ['q', 'average days until an invoice is paid', `select avg(bezahlt_am - rechnungsdatum) from ${R}`],
  ['q', 'top 5 pupils by invoice amount', `select schueler_nr from ${R} group by 1 order by sum(betrag) desc limit 5`],
])
