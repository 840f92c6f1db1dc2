import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const KINO_STATEMENTS: readonly string[] = [
  `create table kino.haeuser (haus_id int primary key, hausname text not null, stadt text not null, eroeffnet_am date not null, geschlossen_am date)`,
  `create table kino.saele (saal_id int primary key, haus_id int not null, saalname text not null, sitzplaetze int not null, dolby boolean not null)`,
  `create table kino.filme (film_id int primary key, titel text not null, genre text not null, fsk int not null, laenge_min int not null, erscheinungsdatum date not null, verleih text, originalsprache text not null)`,
  `create table kino.vorstellungen (vorstellung_id int primary key, film_id int not null, saal_id int not null, beginn timestamp not null, fassung text not null, ausgefallen boolean not null, grundpreis numeric(6,2) not null)`,
  `create table kino.kunden (kunden_nr int primary key, vorname text not null, nachname text not null, geburtsdatum date, newsletter char(1) not null, kundenkarte_seit date, wohnort text not null)`,
  `create table kino.buchungen (buchung_nr int primary key, kunden_nr int, vorstellung_id int not null, gebucht_am timestamp not null, storniert_am timestamp, zahlart text not null, kanal text not null, gesamtbetrag numeric(8,2) not null)`,
  `create table kino.buchungspositionen (buchung_nr int not null, pos int not null, ticketart text not null, anzahl int not null, einzelpreis numeric(6,2) not null, betrag numeric(8,2) not null, primary key (buchung_nr, pos))`,
  `create table kino.snackverkauf (verkauf_id int primary key, haus_id int not null, artikel text not null, menge int not null, umsatz numeric(8,2) not null, verkauft_am date not null)`,
  `create table kino.bewertungen (bewertung_id int primary key, film_id int not null, kunden_nr int not null, sterne int not null, kommentar text, erstellt_am date not null)`,
  `insert into kino.haeuser values (1, 'Astoria', 'Mainz', '1998-05-01', null), (2, 'Rex', 'Trier', '2004-09-12', null), (3, 'Capitol', 'Koblenz', '1987-03-20', '2024-06-30'), (4, 'Lux', 'Mainz', '2016-11-05', null)`,
  `insert into kino.saele select n, 1 + n % 4, 'Saal ' || n, 60 + ${pick("'sa' || n", 240)}::int, ${pick("'sb' || n", 3)} = 0 from generate_series(1, 19) n`,
  `insert into kino.filme select n, 'Film ' || n, ${pickWord('Drama|Komödie|Action|Doku', "'fa' || n")}, ${pickWord('0|6|12|16|18', "'fb' || n")}::int, 75 + ${pick("'fc' || n", 100)}::int, date '2021-01-07' + ${pick("'fd' || n", 1800)}::int, case when ${pick("'fe' || n", 6)} > 0 then ${pickWord('Nordlicht|Prokino|Weltfilm', "'ff' || n")} end, ${pickWord('Deutsch|Englisch|Französisch', "'fg' || n")} from generate_series(1, 160) n`,
  `insert into kino.vorstellungen select n, 1 + ${pick("'va' || n", 145)}::int, 1 + ${pick("'vb' || n", 19)}::int, timestamp '2024-01-01 14:00' + ${pick("'vc' || n", 17200)} * interval '1 hour', ${pickWord('OV|OmU|DF', "'vd' || n")}, ${pick("'ve' || n", 15)} = 0, 7 + ${pick("'vf' || n", 800)} / 100.0 from generate_series(1, 1900) n`,
  `insert into kino.kunden select n, ${pickWord('Lea|Tim|Mia|Jan', "'ka' || n")}, ${pickWord('Kurz|Lang|Braun', "'kb' || n")} || n, case when ${pick("'kc' || n", 4)} > 0 then date '1950-01-01' + ${pick("'kd' || n", 21000)}::int end, ${pickWord('J|N', "'ke' || n")}, case when ${pick("'kf' || n", 3)} = 0 then date '2019-01-01' + ${pick("'kg' || n", 2500)}::int end, ${pickWord('Mainz|Trier|Bonn', "'kh' || n")} from generate_series(1, 520) n`,
  `insert into kino.buchungen select n, case when ${pick("'ba' || n", 5)} > 0 then 1 + ${pick("'bb' || n", 480)}::int end, 1 + ${pick("'bc' || n", 1850)}::int, at, case when ${pick("'bd' || n", 11)} = 0 then at + interval '5 hours' end, ${pickWord('bar|Karte|PayPal', "'be' || n")}, ${pickWord('Kasse|App|Web', "'bf' || n")}, 0 from (select n, timestamp '2024-01-01 09:00' + ${pick("'bg' || n", 17000)} * interval '1 hour' as at from generate_series(1, 3400) n) x`,
  `insert into kino.buchungspositionen select b, p, t, a, e, a * e from (select n as b, p, ${pickWord('Erwachsene|Kind|Student', "'pa' || n || '-' || p")} as t, 1 + ${pick("'pb' || n || '-' || p", 4)}::int as a, 6 + ${pick("'pc' || n || '-' || p", 900)} / 100.0 as e from generate_series(1, 3400) n, generate_series(1, 2) p where p <= 1 + n % 2) x`,
  `update kino.buchungen b set gesamtbetrag = s + 1.5 from (select buchung_nr, sum(betrag) as s from kino.buchungspositionen group by 1) x where x.buchung_nr = b.buchung_nr`,
  `insert into kino.snackverkauf select n, 1 + ${pick("'na' || n", 4)}::int, ${pickWord('Popcorn|Nachos|Cola|Eis', "'nb' || n")}, q, q * 3.9, date '2024-01-01' + ${pick("'nc' || n", 712)}::int from (select n, 1 + ${pick("'nd' || n", 9)}::int as q from generate_series(1, 2600) n) x`,
  `insert into kino.bewertungen select n, 1 + ${pick("'wa' || n", 130)}::int, 1 + ${pick("'wb' || n", 450)}::int, 1 + ${pick("'wc' || n", 5)}::int, case when ${pick("'wd' || n", 2)} = 0 then 'gut' end, date '2024-02-01' + ${pick("'we' || n", 680)}::int from generate_series(1, 900) n`,
]

const F = 'kino.filme'
const V = 'kino.vorstellungen'
const B = 'kino.buchungen'
const K = 'kino.kunden'

export const KINO_QUESTIONS = toQuestions([
  ['q', 'Wie viele Filme haben wir pro Genre?', `select genre, count(*) from ${F} group by 1`],
  ['q', 'films longer than 150 minutes', listOrCount('film_id', `${F} where laenge_min > 150`)],
  ['q', 'Filme ab 18', listOrCount('film_id', `${F} where fsk = 18`)],
  ['q', 'average film length by genre', `select genre, avg(laenge_min) from ${F} group by 1`],
  ['q', 'längster Film', `select film_id from ${F} order by laenge_min desc limit 1`],
  ['q', 'Filme ohne Verleih', listOrCount('film_id', `${F} where verleih is null`)],
  ['q', 'films in English', listOrCount('film_id', `${F} where originalsprache = 'Englisch'`)],
  ['q', 'Filme pro Originalsprache', `select originalsprache, count(*) from ${F} group by 1`],
  [
    'q',
    'Filme die 2025 erschienen sind',
    listOrCount('film_id', `${F} where erscheinungsdatum >= '2025-01-01' and erscheinungsdatum < '2026-01-01'`),
  ],
  [
    'q',
    'Filme die nie gezeigt wurden',
    [...listOrCount('film_id', `${F} f where not exists (select from ${V} v where v.film_id = f.film_id)`)],
  ],
  [
    'q',
    'screenings per month in 2025',
    `select ${month('beginn')}, count(*) from ${V} where beginn >= '2025-01-01' group by 1`,
  ],
  ['q', 'ausgefallene Vorstellungen', listOrCount('vorstellung_id', `${V} where ausgefallen`)],
  ['q', 'Vorstellungen pro Fassung', `select fassung, count(*) from ${V} group by 1`],
  [
    'q',
    'which film has the most screenings',
    byEither(
      ['film_id', 'titel'],
      (key) => `select ${key} from ${V} join ${F} using (film_id) group by 1 order by count(*) desc, 1 limit 1`,
    ),
  ],
  ['q', 'Anteil der ausgefallenen Vorstellungen', shares('ausgefallen', V)],
  [
    'q',
    'durchschnittlicher Grundpreis pro Genre',
    `select genre, avg(grundpreis) from ${V} join ${F} using (film_id) group by 1`,
  ],
  [
    'q',
    'Vorstellungen in Mainz',
    listOrCount(
      'vorstellung_id',
      `${V} join kino.saele using (saal_id) join kino.haeuser using (haus_id) where stadt = 'Mainz'`,
    ),
  ],
  [
    'q',
    'seats per cinema',
    byEither(
      ['haus_id', 'hausname'],
      (key) => `select ${key}, sum(sitzplaetze) from kino.saele join kino.haeuser using (haus_id) group by 1`,
    ),
  ],
  ['q', 'Säle mit Dolby', listOrCount('saal_id', 'kino.saele where dolby')],
  ['q', 'größter Saal', 'select saal_id from kino.saele order by sitzplaetze desc limit 1'],
  ['q', 'geschlossene Häuser', listOrCount('haus_id', 'kino.haeuser where geschlossen_am is not null')],
  ['q', 'customers by city', `select wohnort, count(*) from ${K} group by 1`],
  ['q', 'Kunden mit Newsletter', listOrCount('kunden_nr', `${K} where newsletter = 'J'`)],
  ['q', 'Kunden ohne Kundenkarte', listOrCount('kunden_nr', `${K} where kundenkarte_seit is null`)],
  [
    'q',
    'Kunden aus Bonn ohne Geburtsdatum',
    listOrCount('kunden_nr', `${K} where wohnort = 'Bonn' and geburtsdatum is null`),
  ],
  [
    'q',
    'customers who never booked',
    listOrCount('kunden_nr', `${K} k where not exists (select from ${B} b where b.kunden_nr = k.kunden_nr)`),
  ],
  ['q', 'bookings per channel', `select kanal, count(*) from ${B} group by 1`],
  ['q', 'stornierte Buchungen', listOrCount('buchung_nr', `${B} where storniert_am is not null`)],
  [
    'q',
    'Gesamtbetrag der Buchungen pro Monat 2025',
    `select ${month('gebucht_am')}, sum(gesamtbetrag) from ${B} where gebucht_am >= '2025-01-01' group by 1`,
  ],
  ['q', 'average booking amount by payment method', `select zahlart, avg(gesamtbetrag) from ${B} group by 1`],
  ['q', 'Buchungen ohne Kunde', listOrCount('buchung_nr', `${B} where kunden_nr is null`)],
  ['q', 'bookings over 80 euros', listOrCount('buchung_nr', `${B} where gesamtbetrag > 80`)],
  ['q', 'verkaufte Tickets pro Ticketart', ['select ticketart, sum(anzahl) from kino.buchungspositionen group by 1']],
  ['q', 'Umsatz pro Film', []],
  [
    'q',
    'booking revenue by genre',
    [`select genre, sum(gesamtbetrag) from ${B} join ${V} using (vorstellung_id) join ${F} using (film_id) group by 1`],
  ],
  [
    'q',
    'top 5 Kunden nach Gesamtbetrag',
    byEither(
      ['k.kunden_nr', 'k.nachname'],
      (key) =>
        `select ${key} from ${B} b join ${K} k using (kunden_nr) group by 1 order by sum(gesamtbetrag) desc limit 5`,
    ),
  ],
  ['q', 'snack revenue by item', 'select artikel, sum(umsatz) from kino.snackverkauf group by 1'],
  [
    'q',
    'Umsatz mit Popcorn im November 2025',
    [
      `select sum(umsatz) from kino.snackverkauf where artikel = 'Popcorn' and verkauft_am >= '2025-11-01' and verkauft_am < '2025-12-01'`,
    ],
  ],
  [
    'q',
    'verkaufte Menge pro Artikel und Haus',
    byEither(
      ['haus_id', 'hausname'],
      (key) =>
        `select artikel, ${key}, sum(menge) from kino.snackverkauf join kino.haeuser using (haus_id) group by 1, 2`,
    ),
  ],
  [
    'q',
    'average rating per film',
    byEither(
      ['film_id', 'titel'],
      (key) => `select ${key}, avg(sterne) from kino.bewertungen join ${F} using (film_id) group by 1`,
    ),
  ],
  ['q', 'Bewertungen mit 5 Sternen', listOrCount('bewertung_id', 'kino.bewertungen where sterne = 5')],
  ['q', 'Bewertungen ohne Kommentar', listOrCount('bewertung_id', 'kino.bewertungen where kommentar is null')],
  ['q', 'Auslastung pro Saal', []],
  ['q', 'Personal pro Haus', []],
  ['q', 'Gewinn pro Monat', []],
])
