import { type Question, toQuestions } from './question.ts'

const CUSTOMERS = 'geloescht_am is null'
const BILLS = 'evu.rechnungen r join evu.vertraege v using (vertrag_nr) join evu.kunden k using (kd_nr)'
const READINGS = 'evu.ablesungen a join evu.zaehler z using (zaehler_nr)'

export const METERS_QUESTIONS: readonly Question[] = toQuestions([
  ['count', 'How many customers do we have?', `select count(*) from evu.kunden where ${CUSTOMERS}`],
  ['count', 'how many active contracts are there', "select count(*) from evu.vertraege where vertragsstatus = 'aktiv'"],
  ['count', 'number of smart meters', "select count(*) from evu.zaehler where zaehlerart = 'smart'"],
  ['count', 'How many invoices are unpaid?', 'select count(*) from evu.rechnungen where bezahlt_am is null'],
  ['count', 'how many Kunden in Potsdam', `select count(*) from evu.kunden where ort = 'Potsdam' and ${CUSTOMERS}`],
  ['count', 'wie viele Kunden haben wir?', `select count(*) from evu.kunden where ${CUSTOMERS}`],
  ['count', 'how many faults were caused by Sturm', "select count(*) from evu.stoerungen where ursache = 'Sturm'"],
  ['total', 'total consumption in kWh', 'select sum(verbrauch_kwh) from evu.ablesungen'],
  ['total', 'total consumption by meter type', `select zaehlerart, sum(verbrauch_kwh) from ${READINGS} group by 1`],
  [
    'total',
    'invoice amount in 2025',
    "select sum(betrag) from evu.rechnungen where rech_datum >= '2025-01-01' and rech_datum < '2026-01-01'",
  ],
  [
    'total',
    'Summe Betrag pro Monat',
    "select date_trunc('month', rech_datum)::date, sum(betrag) from evu.rechnungen group by 1",
  ],
  [
    'total',
    'how much money is still outstanding?',
    ['select sum(betrag) from evu.rechnungen where bezahlt_am is null'],
  ],
  ['average', 'average invoice amount', 'select avg(betrag) from evu.rechnungen'],
  ['average', 'average invoice amount by customer group', `select kundengruppe, avg(betrag) from ${BILLS} group by 1`],
  ['average', 'average consumption per reading', 'select avg(verbrauch_kwh) from evu.ablesungen'],
  ['average', 'average base price of green tariffs', ['select avg(grundpreis) from evu.tarife where oekostrom']],
  ['group', 'customers by city', `select ort, count(*) from evu.kunden where ${CUSTOMERS} group by 1`],
  [
    'group',
    'contracts per tariff',
    'select bezeichnung, count(*) from evu.vertraege join evu.tarife using (tarif_id) group by 1',
  ],
  ['group', 'Verträge nach Status', 'select vertragsstatus, count(*) from evu.vertraege group by 1'],
  ['group', 'number of faults by priority', 'select prioritaet, count(*) from evu.stoerungen group by 1'],
  ['group', 'readings by type', 'select ableseart, count(*) from evu.ablesungen group by 1'],
  [
    'month',
    'invoices per month in 2025',
    "select date_trunc('month', rech_datum)::date, count(*) from evu.rechnungen where rech_datum >= '2025-01-01' and rech_datum < '2026-01-01' group by 1",
  ],
  [
    'month',
    'Verbrauch by month',
    "select date_trunc('month', abl_datum)::date, sum(verbrauch_kwh) from evu.ablesungen group by 1",
  ],
  [
    'month',
    'new customers per year',
    [
      `select date_trunc('year', angelegt_am)::date, count(*) from evu.kunden where ${CUSTOMERS} group by 1`,
      "select date_trunc('year', angelegt_am)::date, count(*) from evu.kunden group by 1",
    ],
  ],
  [
    'time',
    'faults reported in the last 30 days',
    [
      "select st_id from evu.stoerungen where gemeldet_am >= '2025-11-15'",
      "select count(*) from evu.stoerungen where gemeldet_am >= '2025-11-15'",
    ],
  ],
  [
    'time',
    'contracts that ended this year',
    [
      "select vertrag_nr from evu.vertraege where ende_dat >= '2025-01-01' and ende_dat < '2026-01-01'",
      "select vertrag_nr from evu.vertraege where ende_dat >= '2025-01-01' and ende_dat <= '2025-12-15'",
    ],
  ],
  [
    'time',
    'how many invoices are due this month?',
    "select count(*) from evu.rechnungen where faellig_am >= '2025-12-01' and faellig_am < '2026-01-01'",
  ],
  [
    'compare',
    'consumption this year vs last year',
    "select date_trunc('year', abl_datum)::date, sum(verbrauch_kwh) from evu.ablesungen where abl_datum >= '2024-01-01' and abl_datum < '2026-01-01' group by 1",
  ],
  [
    'compare',
    'invoices over 500 euros',
    ['select rech_nr from evu.rechnungen where betrag > 500', 'select count(*) from evu.rechnungen where betrag > 500'],
  ],
  [
    'compare',
    'readings above 900 kWh',
    [
      'select abl_id from evu.ablesungen where verbrauch_kwh > 900',
      'select count(*) from evu.ablesungen where verbrauch_kwh > 900',
    ],
  ],
  [
    'top',
    'top 10 customers by invoice amount',
    [
      `select kd_nr from ${BILLS} where ${CUSTOMERS} group by 1 order by sum(betrag) desc limit 10`,
      `select kd_nr from ${BILLS} group by 1 order by sum(betrag) desc limit 10`,
    ],
  ],
  [
    'top',
    'which tariff has the highest base price',
    'select bezeichnung from evu.tarife order by grundpreis desc limit 1',
  ],
  [
    'top',
    'the most common cause of faults',
    'select ursache from evu.stoerungen group by 1 order by count(*) desc limit 1',
  ],
  [
    'share',
    'what share of contracts is terminated',
    "select 1.0 * count(*) filter (where vertragsstatus = 'gekuendigt') / count(*) from evu.vertraege",
  ],
  [
    'share',
    'percentage of green tariffs',
    'select 100.0 * count(*) filter (where oekostrom) / count(*) from evu.tarife',
  ],
  [
    'absence',
    'customers without a contract',
    `select kd_nr from evu.kunden k where not exists (select from evu.vertraege v where v.kd_nr = k.kd_nr) and ${CUSTOMERS}`,
  ],
  [
    'absence',
    'which tariffs were never booked',
    [
      'select bezeichnung from evu.tarife t where not exists (select from evu.vertraege v where v.tarif_id = t.tarif_id)',
    ],
  ],
  [
    'absence',
    'faults that are not fixed yet',
    [
      'select st_id from evu.stoerungen where behoben_am is null',
      'select count(*) from evu.stoerungen where behoben_am is null',
    ],
  ],
  [
    'list',
    'show all customers from Cottbus who get the newsletter',
    `select kd_nr from evu.kunden where ort = 'Cottbus' and newsletter_jn = 'J' and ${CUSTOMERS}`,
  ],
  ['unclear', 'what is our margin per customer', []],
])
