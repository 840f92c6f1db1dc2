import { byEither, listOrCount, month, shares } from '../expected.ts'
import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const HANDWERK_STATEMENTS: readonly string[] = [
  `create table betrieb.kunden (kundennr int primary key, firma text, nachname text not null, plz text not null, ort text not null, kundenart text not null, angelegt_am date not null, gesperrt boolean not null)`,
  `create table betrieb.mitarbeiter (personalnr int primary key, vorname text not null, nachname text not null, gewerk text not null, stundensatz numeric(6,2) not null, eintritt date not null, austritt date)`,
  `create table betrieb.auftraege (auftragsnr int primary key, kundennr int not null, bezeichnung text not null, status text not null, auftragsdatum date not null, beginn_geplant date, fertig_am date, auftragssumme numeric(10,2) not null, bauleiter int)`,
  `create table betrieb.rechnungen (rechnungsnr int primary key, auftragsnr int not null, rechnungsdatum date not null, faellig_am date not null, bezahlt_am date, netto numeric(10,2) not null, mwst numeric(10,2) not null, brutto numeric(10,2) not null, mahnstufe int not null)`,
  `create table betrieb.rechnungspositionen (rechnungsnr int not null, pos int not null, artikelnr int, menge numeric(8,2) not null, einzelpreis numeric(8,2) not null, gesamtpreis numeric(10,2) not null, primary key (rechnungsnr, pos))`,
  `create table betrieb.artikel (artikelnr int primary key, bezeichnung text not null, warengruppe text not null, einkaufspreis numeric(8,2) not null, verkaufspreis numeric(8,2) not null, lagerbestand int not null, mindestbestand int not null, lieferant text)`,
  `create table betrieb.arbeitszeiten (id int primary key, personalnr int not null, auftragsnr int not null, datum date not null, stunden numeric(4,2) not null, ueberstunden numeric(4,2) not null, taetigkeit text not null)`,
  `create table betrieb.fahrzeuge (kennzeichen text primary key, marke text not null, baujahr int not null, tuev_bis date not null, km_stand int not null, personalnr int)`,
  `insert into betrieb.kunden select n, case when ${pick("'ka' || n", 3)} = 0 then 'Firma ' || n end, ${pickWord('Maier|Huber|Vogt|Kern', "'kb' || n")} || n, (70000 + ${pick("'kc' || n", 9000)})::text, ${pickWord('Ulm|Aalen|Heidenheim', "'kd' || n")}, ${pickWord('privat|privat|gewerblich|öffentlich', "'ke' || n")}, date '2016-01-01' + ${pick("'kf' || n", 3600)}::int, ${pick("'kg' || n", 20)} = 0 from generate_series(1, 380) n`,
  `insert into betrieb.mitarbeiter select n, ${pickWord('Jan|Uwe|Eva|Ina', "'ma' || n")}, ${pickWord('Beck|Fuchs|Wolf', "'mb' || n")} || n, ${pickWord('Elektro|Sanitär|Heizung|Maler', "'mc' || n")}, 28 + ${pick("'md' || n", 4000)} / 100.0, date '2008-01-01' + ${pick("'me' || n", 6000)}::int, case when ${pick("'mf' || n", 6)} = 0 then date '2025-01-31' + ${pick("'mg' || n", 300)}::int end from generate_series(1, 45) n`,
  `insert into betrieb.auftraege select n, 1 + ${pick("'aa' || n", 340)}::int, ${pickWord('Bad sanieren|Heizung tauschen|Dach decken|Küche verkabeln', "'ab' || n")}, st, day, case when ${pick("'ac' || n", 9)} > 0 then day + 14 + ${pick("'ad' || n", 60)}::int end, case when st in ('abgeschlossen', 'abgerechnet') then day + 30 + ${pick("'ae' || n", 90)}::int end, 500 + ${pick("'af' || n", 3000000)} / 100.0, case when ${pick("'ag' || n", 6)} > 0 then 1 + ${pick("'ah' || n", 40)}::int end from (select n, date '2023-01-02' + ${pick("'ai' || n", 950)}::int as day, ${pickWord('offen|in Arbeit|abgeschlossen|abgerechnet|abgerechnet|storniert', "'aj' || n")} as st from generate_series(1, 1100) n) x`,
  `insert into betrieb.artikel select n, ${pickWord('Kupferrohr|Schalter|Farbe|Pumpe|Kabel', "'ra' || n")} || ' ' || n, ${pickWord('Rohre|Elektro|Farben|Heizung', "'rb' || n")}, 1 + ${pick("'rc' || n", 9000)} / 100.0, 2 + ${pick("'rd' || n", 19000)} / 100.0, ${pick("'re' || n", 200)}::int, 5 + ${pick("'rf' || n", 60)}::int, case when ${pick("'rg' || n", 7)} > 0 then ${pickWord('Bauhof AG|Rohr GmbH|Farbwerk', "'rh' || n")} end from generate_series(1, 160) n`,
  `insert into betrieb.rechnungen select 5000 + auftragsnr, auftragsnr, fertig_am, fertig_am + 14, case when ${pick("'ga' || auftragsnr", 5)} > 0 then fertig_am + ${pick("'gb' || auftragsnr", 40)}::int end, 0, 0, 0, case when ${pick("'gc' || auftragsnr", 5)} = 0 then 1 + ${pick("'gd' || auftragsnr", 3)}::int else 0 end from betrieb.auftraege where status = 'abgerechnet'`,
  `insert into betrieb.rechnungspositionen select rechnungsnr, p, case when ${pick("'pa' || rechnungsnr || '-' || p", 4)} > 0 then a end, m, e, round(m * e, 2) from (select rechnungsnr, p, 1 + ${pick("'pb' || rechnungsnr || '-' || p", 148)}::int as a, 1 + ${pick("'pc' || rechnungsnr || '-' || p", 30)}::int as m, 5 + ${pick("'pd' || rechnungsnr || '-' || p", 20000)} / 100.0 as e from betrieb.rechnungen, generate_series(1, 3) p where p <= 1 + rechnungsnr % 3) x`,
  `update betrieb.rechnungen r set netto = s, mwst = round(s * 0.19, 2), brutto = s + round(s * 0.19, 2) from (select rechnungsnr, sum(gesamtpreis) + 25 as s from betrieb.rechnungspositionen group by 1) x where x.rechnungsnr = r.rechnungsnr`,
  `insert into betrieb.arbeitszeiten select n, 1 + ${pick("'za' || n", 42)}::int, 1 + ${pick("'zb' || n", 1050)}::int, date '2024-01-02' + ${pick("'zc' || n", 710)}::int, 1 + ${pick("'zd' || n", 28)} / 4.0, case when ${pick("'ze' || n", 6)} = 0 then 0.5 + ${pick("'zf' || n", 6)} / 4.0 else 0 end, ${pickWord('Montage|Planung|Fahrt|Wartung', "'zg' || n")} from generate_series(1, 5200) n`,
  `insert into betrieb.fahrzeuge select 'UL-HW ' || (100 + n), ${pickWord('VW|Ford|Mercedes', "'fa' || n")}, 2010 + ${pick("'fb' || n", 15)}::int, date '2025-06-30' + ${pick("'fc' || n", 700)}::int, 5000 + ${pick("'fd' || n", 240000)}::int, case when ${pick("'fe' || n", 4)} > 0 then 1 + ${pick("'ff' || n", 42)}::int end from generate_series(1, 22) n`,
]

const A = 'betrieb.auftraege'
const R = 'betrieb.rechnungen'
const K = 'betrieb.kunden'
const Z = 'betrieb.arbeitszeiten'
const M = 'betrieb.mitarbeiter'

export const HANDWERK_QUESTIONS = toQuestions([
  ['q', 'Wie viele Kunden haben wir?', `select count(*) from ${K}`],
  ['q', 'Kunden pro Ort', `select ort, count(*) from ${K} group by 1`],
  ['q', 'customers by type', `select kundenart, count(*) from ${K} group by 1`],
  ['q', 'gesperrte Kunden', listOrCount('kundennr', `${K} where gesperrt`)],
  ['q', 'customers in Ulm without a company', listOrCount('kundennr', `${K} where ort = 'Ulm' and firma is null`)],
  [
    'q',
    'neue Kunden im Jahr 2024',
    listOrCount('kundennr', `${K} where angelegt_am >= '2024-01-01' and angelegt_am < '2025-01-01'`),
  ],
  [
    'q',
    'Kunden ohne Auftrag',
    listOrCount('kundennr', `${K} k where not exists (select from ${A} a where a.kundennr = k.kundennr)`),
  ],
  [
    'q',
    'which customer has the most jobs',
    byEither(
      ['k.kundennr'],
      (key) => `select ${key} from ${A} a join ${K} k using (kundennr) group by 1 order by count(*) desc, 1 limit 1`,
    ),
  ],
  ['q', 'Aufträge nach Status', `select status, count(*) from ${A} group by 1`],
  ['q', 'offene Aufträge', listOrCount('auftragsnr', `${A} where status = 'offen'`)],
  ['q', 'cancelled orders', listOrCount('auftragsnr', `${A} where status = 'storniert'`)],
  [
    'q',
    'Auftragssumme pro Monat 2025',
    `select ${month('auftragsdatum')}, sum(auftragssumme) from ${A} where auftragsdatum >= '2025-01-01' group by 1`,
  ],
  ['q', 'average order value by status', `select status, avg(auftragssumme) from ${A} group by 1`],
  ['q', 'Aufträge über 20000 Euro', listOrCount('auftragsnr', `${A} where auftragssumme > 20000`)],
  ['q', 'Aufträge ohne Bauleiter', listOrCount('auftragsnr', `${A} where bauleiter is null`)],
  ['q', 'größter Auftrag', `select auftragsnr from ${A} order by auftragssumme desc limit 1`],
  ['q', 'wie lange dauert ein Auftrag im Durchschnitt', []],
  ['q', 'Aufträge pro Kundenart', `select kundenart, count(*) from ${A} join ${K} using (kundennr) group by 1`],
  [
    'q',
    'Umsatz pro Monat 2024',
    byEither(
      ['netto', 'brutto'],
      (key) =>
        `select ${month('rechnungsdatum')}, sum(${key}) from ${R} where rechnungsdatum >= '2024-01-01' and rechnungsdatum < '2025-01-01' group by 1`,
    ),
  ],
  ['q', 'total gross invoiced this year', `select sum(brutto) from ${R} where rechnungsdatum >= '2025-01-01'`],
  ['q', 'unbezahlte Rechnungen', listOrCount('rechnungsnr', `${R} where bezahlt_am is null`)],
  [
    'q',
    'überfällige Rechnungen',
    listOrCount('rechnungsnr', `${R} where bezahlt_am is null and faellig_am < '2025-12-15'`),
  ],
  ['q', 'net amount of unpaid invoices', `select sum(netto) from ${R} where bezahlt_am is null`],
  ['q', 'invoices with dunning level 3', listOrCount('rechnungsnr', `${R} where mahnstufe = 3`)],
  ['q', 'Rechnungen pro Mahnstufe', `select mahnstufe, count(*) from ${R} group by 1`],
  ['q', 'Anteil der unbezahlten Rechnungen', shares('bezahlt_am is null', R)],
  [
    'q',
    'net invoiced by customer type',
    `select kundenart, sum(netto) from ${R} join ${A} using (auftragsnr) join ${K} using (kundennr) group by 1`,
  ],
  [
    'q',
    'Umsatz pro Warengruppe',
    `select warengruppe, sum(gesamtpreis) from betrieb.rechnungspositionen join betrieb.artikel using (artikelnr) group by 1`,
  ],
  [
    'q',
    'Artikel unter Mindestbestand',
    listOrCount('artikelnr', 'betrieb.artikel where lagerbestand < mindestbestand'),
  ],
  [
    'q',
    'average purchase price by product group',
    'select warengruppe, avg(einkaufspreis) from betrieb.artikel group by 1',
  ],
  ['q', 'Artikel ohne Lieferant', listOrCount('artikelnr', 'betrieb.artikel where lieferant is null')],
  ['q', 'teuerster Artikel', ['select artikelnr from betrieb.artikel order by verkaufspreis desc limit 1']],
  [
    'q',
    'Artikel nie verkauft',
    listOrCount(
      'artikelnr',
      'betrieb.artikel a where not exists (select from betrieb.rechnungspositionen p where p.artikelnr = a.artikelnr)',
    ),
  ],
  [
    'q',
    'hours per employee in November 2025',
    byEither(
      ['m.personalnr', 'm.nachname'],
      (key) =>
        `select ${key}, sum(stunden) from ${Z} z join ${M} m using (personalnr) where datum >= '2025-11-01' and datum < '2025-12-01' group by 1`,
    ),
  ],
  ['q', 'Überstunden pro Gewerk', `select gewerk, sum(ueberstunden) from ${Z} join ${M} using (personalnr) group by 1`],
  ['q', 'Stunden pro Tätigkeit', `select taetigkeit, sum(stunden) from ${Z} group by 1`],
  [
    'q',
    'who worked the most overtime',
    byEither(
      ['m.personalnr', 'm.nachname'],
      (key) =>
        `select ${key} from ${Z} z join ${M} m using (personalnr) group by 1 order by sum(ueberstunden) desc limit 1`,
    ),
  ],
  ['q', 'employees who left', listOrCount('personalnr', `${M} where austritt is not null`)],
  ['q', 'durchschnittlicher Stundensatz pro Gewerk', `select gewerk, avg(stundensatz) from ${M} group by 1`],
  ['q', 'Mitarbeiter mit Stundensatz über 50', listOrCount('personalnr', `${M} where stundensatz > 50`)],
  ['q', 'vehicles by brand', 'select marke, count(*) from betrieb.fahrzeuge group by 1'],
  ['q', 'Fahrzeuge mit mehr als 100000 km', listOrCount('kennzeichen', 'betrieb.fahrzeuge where km_stand > 100000')],
  ['q', 'Fahrzeuge ohne Fahrer', []],
  ['q', 'vehicles built before 2015', listOrCount('kennzeichen', 'betrieb.fahrzeuge where baujahr < 2015')],
  ['q', 'Kundenzufriedenheit pro Bauleiter', []],
  ['q', 'Gewinn pro Auftrag', []],
  ['q', 'Krankheitstage pro Mitarbeiter', []],
])
