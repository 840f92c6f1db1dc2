import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

/** German, partly abbreviated names, no foreign keys; totals in receipts and lines. */
export const BAECKEREI_STATEMENTS: readonly string[] = [
  `create table bk.filialen (fil_nr int primary key, fil_name text not null, ort text not null, miete_monat numeric(8,2) not null, eroeffnung date not null, schliessung date)`,
  `create table bk.artikel (art_nr int primary key, bezeichnung text not null, warengruppe text not null, vk_preis numeric(6,2) not null, ek_preis numeric(6,2) not null, gewicht_g int, vegan char(1) not null, ausgelistet_am date)`,
  `create table bk.bons (bon_id int primary key, fil_nr int not null, kasse int not null, zeitpunkt timestamp not null, zahlart text not null, summe numeric(8,2) not null, trinkgeld numeric(6,2) not null, storno boolean not null, kd_nr int)`,
  `create table bk.bon_pos (bon_id int not null, pos_nr int not null, art_nr int not null, menge int not null, rabatt numeric(5,2) not null, pos_betrag numeric(8,2) not null, primary key (bon_id, pos_nr))`,
  `create table bk.kunden (kd_nr int primary key, name text not null, email text, punkte int not null, registriert_am date not null)`,
  `create table bk.produktion (prod_id int primary key, art_nr int not null, backtag date not null, soll_menge int not null, ist_menge int not null, ausschuss int not null, schicht text not null)`,
  `create table bk.retouren (ret_id int primary key, fil_nr int not null, art_nr int not null, ret_datum date not null, menge int not null, grund text not null)`,
  `create table bk.personal (pers_nr int primary key, vorname text not null, nachname text not null, fil_nr int, funktion text not null, stundenlohn numeric(6,2) not null, eintritt date not null, austritt date)`,
  `insert into bk.filialen select n, 'Filiale ' || n, ${pickWord('Kassel|Fulda|Marburg', "'fa' || n")}, 900 + ${pick("'fb' || n", 200000)} / 100.0, date '1990-01-01' + ${pick("'fc' || n", 12000)}::int, case when ${pick("'fd' || n", 7)} = 0 then date '2025-03-31' end from generate_series(1, 21) n`,
  `insert into bk.artikel select n, ${pickWord('Brot|Brezel|Torte|Kaffee', "'aa' || n")} || ' ' || n, ${pickWord('Brot|Kleingebäck|Kuchen|Getränke', "'ab' || n")}, 1 + ${pick("'ac' || n", 900)} / 100.0, 0.3 + ${pick("'ad' || n", 300)} / 100.0, case when ${pick("'ae' || n", 6)} > 0 then 50 + ${pick("'af' || n", 1200)}::int end, ${pickWord('J|N', "'ag' || n")}, case when ${pick("'ah' || n", 8)} = 0 then date '2025-01-01' + ${pick("'ai' || n", 300)}::int end from generate_series(1, 90) n`,
  `insert into bk.kunden select n, ${pickWord('Adler|Bauer|Conrad', "'ka' || n")} || ' ' || n, case when ${pick("'kb' || n", 4)} > 0 then 'k' || n || '@example.org' end, ${pick("'kc' || n", 900)}::int, date '2020-01-01' + ${pick("'kd' || n", 2100)}::int from generate_series(1, 300) n`,
  `insert into bk.bons select n, 1 + ${pick("'ba' || n", 20)}::int, 1 + ${pick("'bb' || n", 3)}::int, timestamp '2024-01-01 06:00' + ${pick("'bc' || n", 1020000)} * interval '1 minute', ${pickWord('bar|EC|Handy', "'bd' || n")}, 0, case when ${pick("'be' || n", 4)} = 0 then 0.5 else 0 end, ${pick("'bf' || n", 20)} = 0, case when ${pick("'bg' || n", 4)} = 0 then 1 + ${pick("'bh' || n", 280)}::int end from generate_series(1, 4000) n`,
  `insert into bk.bon_pos select b, p, art_nr, m, r, round(m * vk_preis - r, 2) from (select b, p, 1 + ${pick("'pa' || b || '-' || p", 84)}::int as art_nr, 1 + ${pick("'pb' || b || '-' || p", 5)}::int as m, case when ${pick("'pc' || b || '-' || p", 8)} = 0 then 0.2 else 0 end as r from generate_series(1, 4000) b, generate_series(1, 3) p where p <= 1 + b % 3) x join bk.artikel using (art_nr)`,
  `update bk.bons b set summe = trinkgeld + (select sum(pos_betrag) from bk.bon_pos p where p.bon_id = b.bon_id)`,
  `insert into bk.produktion select n, 1 + ${pick("'ra' || n", 80)}::int, date '2024-01-01' + ${pick("'rb' || n", 710)}::int, s, s - ${pick("'rc' || n", 9)}::int, ${pick("'rd' || n", 12)}::int, ${pickWord('früh|nacht', "'re' || n")} from (select n, 40 + ${pick("'rf' || n", 300)}::int as s from generate_series(1, 2200) n) x`,
  `insert into bk.retouren select n, 1 + ${pick("'ta' || n", 20)}::int, 1 + ${pick("'tb' || n", 82)}::int, date '2024-01-01' + ${pick("'tc' || n", 710)}::int, 1 + ${pick("'td' || n", 20)}::int, ${pickWord('alt|beschädigt|falsch geliefert', "'te' || n")} from generate_series(1, 900) n`,
  `insert into bk.personal select n, ${pickWord('Uli|Ruth|Kai|Elke', "'sa' || n")}, ${pickWord('Haas|Moll|Ritter', "'sb' || n")} || n, case when ${pick("'sc' || n", 6)} > 0 then 1 + ${pick("'sd' || n", 20)}::int end, ${pickWord('Bäcker|Verkauf|Fahrer', "'se' || n")}, 13 + ${pick("'sf' || n", 1200)} / 100.0, date '2005-01-01' + ${pick("'sg' || n", 7000)}::int, case when ${pick("'sh' || n", 6)} = 0 then date '2025-01-31' + ${pick("'si' || n", 290)}::int end from generate_series(1, 130) n`,
]

const B = 'bk.bons'
const A = 'bk.artikel'
const F = 'bk.filialen'
const PR = 'bk.produktion'

export const BAECKEREI_QUESTIONS = toQuestions([
  ['q', 'Wie viele Filialen gibt es pro Ort?', `select ort, count(*) from ${F} group by 1`],
  ['q', 'geschlossene Filialen', [...listOrCount('fil_nr', `${F} where schliessung is not null`)]],
  ['q', 'average rent per city', `select ort, avg(miete_monat) from ${F} group by 1`],
  ['q', 'Filialen mit einer Miete über 2000', listOrCount('fil_nr', `${F} where miete_monat > 2000`)],
  ['q', 'älteste Filiale', `select fil_nr from ${F} order by eroeffnung limit 1`],
  ['q', 'Artikel pro Warengruppe', `select warengruppe, count(*) from ${A} group by 1`],
  ['q', 'vegane Artikel', listOrCount('art_nr', `${A} where vegan = 'J'`)],
  ['q', 'Artikel ohne Gewicht', listOrCount('art_nr', `${A} where gewicht_g is null`)],
  ['q', 'delisted products', [...listOrCount('art_nr', `${A} where ausgelistet_am is not null`)]],
  ['q', 'teuerster Artikel', `select art_nr from ${A} order by vk_preis desc limit 1`],
  ['q', 'durchschnittlicher Verkaufspreis pro Warengruppe', `select warengruppe, avg(vk_preis) from ${A} group by 1`],
  [
    'q',
    'Artikel bei denen der Einkaufspreis höher als der Verkaufspreis ist',
    [...listOrCount('art_nr', `${A} where ek_preis > vk_preis`)],
  ],
  [
    'q',
    'Artikel die nie verkauft wurden',
    listOrCount('art_nr', `${A} a where not exists (select from bk.bon_pos p where p.art_nr = a.art_nr)`),
  ],
  ['q', 'Anzahl Bons pro Zahlart', `select zahlart, count(*) from ${B} group by 1`],
  [
    'q',
    'Summe der Bons pro Filiale',
    byEither(
      ['fil_nr', 'fil_name'],
      (key) => `select ${key}, sum(summe) from ${B} join ${F} using (fil_nr) group by 1`,
    ),
  ],
  [
    'q',
    'receipts per month in 2025',
    `select ${month('zeitpunkt')}, count(*) from ${B} where zeitpunkt >= '2025-01-01' group by 1`,
  ],
  ['q', 'stornierte Bons', listOrCount('bon_id', `${B} where storno`)],
  [
    'q',
    'total tips by branch',
    byEither(
      ['fil_nr', 'fil_name'],
      (key) => `select ${key}, sum(trinkgeld) from ${B} join ${F} using (fil_nr) group by 1`,
    ),
  ],
  ['q', 'Bons ohne Kunde', listOrCount('bon_id', `${B} where kd_nr is null`)],
  ['q', 'cash receipts over 30 euros', [...listOrCount('bon_id', `${B} where zahlart = 'bar' and summe > 30`)]],
  ['q', 'durchschnittliche Bonsumme', `select avg(summe) from ${B}`],
  [
    'q',
    'Umsatz pro Warengruppe',
    `select warengruppe, sum(pos_betrag) from bk.bon_pos join ${A} using (art_nr) group by 1`,
  ],
  [
    'q',
    'verkaufte Menge pro Artikel',
    [
      ...byEither(
        ['art_nr', 'bezeichnung'],
        (key) => `select ${key}, sum(menge) from bk.bon_pos join ${A} using (art_nr) group by 1`,
      ),
    ],
  ],
  [
    'q',
    'Rabatt pro Warengruppe',
    `select warengruppe, sum(rabatt) from bk.bon_pos join ${A} using (art_nr) group by 1`,
  ],
  ['q', 'top 5 Artikel nach Menge', []],
  ['q', 'Kunden ohne E-Mail', listOrCount('kd_nr', 'bk.kunden where email is null')],
  ['q', 'customers with more than 500 points', listOrCount('kd_nr', 'bk.kunden where punkte > 500')],
  ['q', 'neue Kunden pro Jahr', `select date_trunc('year', registriert_am)::date, count(*) from bk.kunden group by 1`],
  ['q', 'Ausschuss pro Schicht', `select schicht, sum(ausschuss) from ${PR} group by 1`],
  [
    'q',
    'produced quantity per product group in November 2025',
    [
      `select warengruppe, sum(ist_menge) from ${PR} join ${A} using (art_nr) where backtag >= '2025-11-01' and backtag < '2025-12-01' group by 1`,
    ],
  ],
  [
    'q',
    'Produktion bei der die Ist-Menge unter der Soll-Menge liegt',
    [...listOrCount('prod_id', `${PR} where ist_menge < soll_menge`)],
  ],
  ['q', 'Retouren pro Grund', 'select grund, count(*) from bk.retouren group by 1'],
  [
    'q',
    'returned quantity by branch',
    byEither(
      ['fil_nr', 'fil_name'],
      (key) => `select ${key}, sum(menge) from bk.retouren join ${F} using (fil_nr) group by 1`,
    ),
  ],
  ['q', 'beschädigte Retouren', listOrCount('ret_id', "bk.retouren where grund = 'beschädigt'")],
  ['q', 'Mitarbeiter pro Funktion', 'select funktion, count(*) from bk.personal group by 1'],
  [
    'q',
    'durchschnittlicher Stundenlohn der Fahrer',
    "select avg(stundenlohn) from bk.personal where funktion = 'Fahrer'",
  ],
  [
    'q',
    'employees who left in 2025',
    listOrCount('pers_nr', "bk.personal where austritt >= '2025-01-01' and austritt < '2026-01-01'"),
  ],
  ['q', 'staff without a branch', listOrCount('pers_nr', 'bk.personal where fil_nr is null')],
  ['q', 'Anteil der veganen Artikel', shares("vegan = 'J'", A)],
  ['q', 'Menge pro Monat', []],
  ['q', 'Gewinn pro Filiale', []],
  ['q', 'Lieferanten pro Artikel', []],
])
