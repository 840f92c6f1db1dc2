import { toQuestions } from '../question.ts'
import { pick, pickWord } from '../sample-values.ts'

export const TIERHEIM_STATEMENTS: readonly string[] = [
  `create table heim.tierarten (art_id int primary key, bezeichnung text not null, futterkosten_tag numeric(5,2) not null)`,
  `create table heim.gehege (gehege_nr int primary key, gebaeude text not null, plaetze int not null, beheizt boolean not null)`,
  `create table heim.tiere (tier_id int primary key, tiername text not null, art_id int not null references heim.tierarten, rasse text, geschlecht char(1) not null, geboren_am date, aufgenommen_am date not null, vermittelt_am date, gewicht_kg numeric(5,1), kastriert char(1) not null, gehege_nr int references heim.gehege, herkunft text not null)`,
  `create table heim.personen (person_id int primary key, vorname text not null, nachname text not null, ort text not null, email text, mitglied_seit date, geloescht_am timestamp)`,
  `create table heim.vermittlungen (vermittlung_id int primary key, tier_id int not null references heim.tiere, person_id int not null references heim.personen, datum date not null, gebuehr numeric(7,2) not null, zurueckgegeben_am date)`,
  `create table heim.impfungen (impfung_id int primary key, tier_id int not null references heim.tiere, impfstoff text not null, geimpft_am date not null, tierarzt text not null, kosten numeric(6,2))`,
  `create table heim.spenden (spende_id int primary key, person_id int references heim.personen, betrag numeric(8,2) not null, eingegangen_am date not null, zahlungsart text not null, quittung_verschickt boolean not null)`,
  `create table heim.dienste (dienst_id int primary key, person_id int not null references heim.personen, beginn timestamp not null, ende timestamp, bereich text not null)`,
  `insert into heim.tierarten values (1, 'Hund', 4.20), (2, 'Katze', 2.60), (3, 'Kaninchen', 1.10), (4, 'Vogel', 0.90), (5, 'Schildkröte', 0.70)`,
  `insert into heim.gehege select n, ${pickWord('Nord|Süd|Halle', "'ga' || n")}, 1 + ${pick("'gb' || n", 6)}::int, ${pick("'gc' || n", 3)} > 0 from generate_series(1, 45) n`,
  `insert into heim.tiere select t.n, ${pickWord('Bello|Minka|Flocke|Rex|Luna', "'ta' || t.n")} || ' ' || t.n, 1 + ${pick("'tb' || t.n", 4)}::int, case when ${pick("'tc' || t.n", 4)} > 0 then ${pickWord('Mischling|Dackel|Perser|Zwerg', "'td' || t.n")} end, ${pickWord('m|w', "'te' || t.n")}, case when ${pick("'tf' || t.n", 5)} > 0 then t.day - ${pick("'tg' || t.n", 3000)}::int end, t.day, case when ${pick("'th' || t.n", 3)} > 0 then least(t.day + 3 + ${pick("'ti' || t.n", 200)}::int, date '2025-12-10') end, case when ${pick("'tj' || t.n", 6)} > 0 then 0.2 + ${pick("'tk' || t.n", 400)} / 10.0 end, ${pickWord('J|N', "'tl' || t.n")}, case when ${pick("'th' || t.n", 3)} = 0 then 1 + ${pick("'tm' || t.n", 42)}::int end, ${pickWord('Fundtier|Abgabe|Beschlagnahmung', "'tn' || t.n")} from (select n, date '2022-01-05' + ${pick("'to' || n", 1400)}::int as day from generate_series(1, 950) n) t`,
  `insert into heim.personen select n, ${pickWord('Ute|Heinz|Klara|Emil', "'pa' || n")}, ${pickWord('Busch|Krause|Lang|Roth', "'pb' || n")} || n, ${pickWord('Jena|Weimar|Erfurt|Gera', "'pc' || n")}, case when ${pick("'pd' || n", 4)} > 0 then 'p' || n || '@example.org' end, case when ${pick("'pe' || n", 3)} = 0 then date '2010-01-01' + ${pick("'pf' || n", 5700)}::int end, case when ${pick("'pg' || n", 20)} = 0 then timestamp '2025-05-05' end from generate_series(1, 700) n`,
  `insert into heim.vermittlungen select row_number() over (order by tier_id), tier_id, 1 + ${pick("'va' || tier_id", 600)}::int, vermittelt_am, 20 + ${pick("'vb' || tier_id", 28000)} / 100.0, case when ${pick("'vc' || tier_id", 12)} = 0 then vermittelt_am + ${pick("'vd' || tier_id", 40)}::int end from heim.tiere where vermittelt_am is not null`,
  `insert into heim.impfungen select n, 1 + ${pick("'ia' || n", 880)}::int, ${pickWord('Tollwut|Staupe|Myxomatose', "'ib' || n")}, date '2022-02-01' + ${pick("'ic' || n", 1400)}::int, ${pickWord('Dr. Winter|Dr. Seidel', "'id' || n")}, case when ${pick("'ie' || n", 9)} > 0 then 10 + ${pick("'if' || n", 6000)} / 100.0 end from generate_series(1, 1600) n`,
  `insert into heim.spenden select n, case when ${pick("'sa' || n", 5)} > 0 then 1 + ${pick("'sb' || n", 640)}::int end, 5 + ${pick("'sc' || n", 50000)} / 100.0, date '2023-01-01' + ${pick("'sd' || n", 1075)}::int, ${pickWord('bar|Überweisung|Lastschrift', "'se' || n")}, ${pick("'sf' || n", 3)} > 0 from generate_series(1, 1800) n`,
  `insert into heim.dienste select d.n, 1 + ${pick("'da' || d.n", 300)}::int, d.at, case when ${pick("'db' || d.n", 20)} > 0 then d.at + (60 + ${pick("'dc' || d.n", 300)}) * interval '1 minute' end, ${pickWord('Hundehaus|Katzenhaus|Büro', "'dd' || d.n")} from (select n, timestamp '2024-01-01 08:00' + ${pick("'de' || n", 17000)} * interval '1 hour' as at from generate_series(1, 2100) n) d`,
]

const listOrCount = (key: string, rest: string) => [`select ${key} from ${rest}`, `select count(*) from ${rest}`]
const month = (column: string) => `date_trunc('month', ${column})::date`
const shares = (condition: string, rest: string) =>
  [100, 1].map((whole) => `select ${whole}.0 * count(*) filter (where ${condition}) / count(*) from ${rest}`)
const LIVE = 'geloescht_am is null'
const T = 'heim.tiere'
const ARTS = 'heim.tiere t join heim.tierarten a using (art_id)'

export const TIERHEIM_QUESTIONS = toQuestions([
  ['q', 'how many animals did we take in this year', `select count(*) from ${T} where aufgenommen_am >= '2025-01-01'`],
  [
    'q',
    'animals by species',
    [`select art_id, count(*) from ${T} group by 1`, `select bezeichnung, count(*) from ${ARTS} group by 1`],
  ],
  ['q', 'Wie viele Tiere wurden noch nicht vermittelt?', `select count(*) from ${T} where vermittelt_am is null`],
  [
    'q',
    'Tiere pro Rasse',
    [
      `select rasse, count(*) from ${T} group by 1`,
      `select rasse, count(*) from ${T} where rasse is not null group by 1`,
    ],
  ],
  ['q', 'animals without a breed', listOrCount('tier_id', `${T} where rasse is null`)],
  [
    'q',
    'average weight of animals by breed',
    [
      `select rasse, avg(gewicht_kg) from ${T} group by 1`,
      `select rasse, avg(gewicht_kg) from ${T} where rasse is not null group by 1`,
    ],
  ],
  ['q', 'heaviest animal', `select tier_id from ${T} where gewicht_kg is not null order by gewicht_kg desc limit 1`],
  ['q', 'animals heavier than 30 kg', listOrCount('tier_id', `${T} where gewicht_kg > 30`)],
  ['q', 'female animals', listOrCount('tier_id', `${T} where geschlecht = 'w'`)],
  ['q', 'neutered animals', listOrCount('tier_id', `${T} where kastriert = 'J'`)],
  ['q', 'Tiere die nicht kastriert sind', listOrCount('tier_id', `${T} where kastriert = 'N'`)],
  ['q', 'animals by origin', `select herkunft, count(*) from ${T} group by 1`],
  ['q', 'share of animals that are Fundtier', shares("herkunft = 'Fundtier'", T)],
  [
    'q',
    'animals admitted last month',
    listOrCount('tier_id', `${T} where aufgenommen_am >= '2025-11-01' and aufgenommen_am < '2025-12-01'`),
  ],
  [
    'q',
    'how long do animals stay on average until they are placed',
    `select avg(vermittelt_am - aufgenommen_am) from ${T}`,
  ],
  ['q', 'animals without a known birth date', listOrCount('tier_id', `${T} where geboren_am is null`)],
  ['q', 'oldest animal', `select tier_id from ${T} where geboren_am is not null order by geboren_am limit 1`],
  [
    'q',
    'new animals per month in 2025',
    `select ${month('aufgenommen_am')}, count(*) from ${T} where aufgenommen_am >= '2025-01-01' group by 1`,
  ],
  [
    'q',
    'feed costs per day by species',
    [
      'select bezeichnung, futterkosten_tag from heim.tierarten',
      'select art_id, sum(futterkosten_tag) from heim.tierarten group by 1',
    ],
  ],
  ['q', 'heated enclosures', listOrCount('gehege_nr', 'heim.gehege where beheizt')],
  [
    'q',
    'enclosures without animals',
    listOrCount('gehege_nr', `heim.gehege g where not exists (select from ${T} t where t.gehege_nr = g.gehege_nr)`),
  ],
  ['q', 'total places per building', 'select gebaeude, sum(plaetze) from heim.gehege group by 1'],
  [
    'q',
    'which enclosure has the most animals',
    `select gehege_nr from ${T} where gehege_nr is not null group by 1 order by count(*) desc, 1 limit 1`,
  ],
  ['q', 'people from Weimar', listOrCount('person_id', `heim.personen where ort = 'Weimar' and ${LIVE}`)],
  ['q', 'people without email', listOrCount('person_id', `heim.personen where email is null and ${LIVE}`)],
  ['q', 'Personen pro Ort', `select ort, count(*) from heim.personen where ${LIVE} group by 1`],
  [
    'q',
    'members since 2020',
    listOrCount('person_id', `heim.personen where mitglied_seit >= '2020-01-01' and ${LIVE}`),
  ],
  [
    'q',
    'people who never adopted an animal',
    listOrCount(
      'person_id',
      `heim.personen p where ${LIVE} and not exists (select from heim.vermittlungen v where v.person_id = p.person_id)`,
    ),
  ],
  ['q', 'placements per year', `select date_trunc('year', datum)::date, count(*) from heim.vermittlungen group by 1`],
  [
    'q',
    'total fees from placements in 2025',
    `select sum(gebuehr) from heim.vermittlungen where datum >= '2025-01-01'`,
  ],
  [
    'q',
    'average fee by species',
    [
      `select bezeichnung, avg(gebuehr) from heim.vermittlungen join ${ARTS.replace('heim.tiere t', 'heim.tiere t using (tier_id)')} group by 1`,
    ],
  ],
  [
    'q',
    'animals that were returned',
    [
      `select distinct tier_id from heim.vermittlungen where zurueckgegeben_am is not null`,
      `select count(distinct tier_id) from heim.vermittlungen where zurueckgegeben_am is not null`,
    ],
  ],
  ['q', 'what percentage of placements were returned', shares('zurueckgegeben_am is not null', 'heim.vermittlungen')],
  [
    'q',
    'Vermittlungen im letzten Monat',
    listOrCount('vermittlung_id', "heim.vermittlungen where datum >= '2025-11-01' and datum < '2025-12-01'"),
  ],
  [
    'q',
    'placements with a fee over 200 euros',
    listOrCount('vermittlung_id', 'heim.vermittlungen where gebuehr > 200'),
  ],
  ['q', 'vaccinations by vaccine', 'select impfstoff, count(*) from heim.impfungen group by 1'],
  ['q', 'rabies vaccinations', []],
  [
    'q',
    'Tollwut vaccinations in 2024',
    listOrCount(
      'impfung_id',
      "heim.impfungen where impfstoff = 'Tollwut' and geimpft_am >= '2024-01-01' and geimpft_am < '2025-01-01'",
    ),
  ],
  [
    'q',
    'animals that were never vaccinated',
    listOrCount('tier_id', `${T} t where not exists (select from heim.impfungen i where i.tier_id = t.tier_id)`),
  ],
  ['q', 'vaccination costs by vet', 'select tierarzt, sum(kosten) from heim.impfungen group by 1'],
  ['q', 'vaccinations with no cost', listOrCount('impfung_id', 'heim.impfungen where kosten is null')],
  [
    'q',
    'animals with more than 4 vaccinations',
    [
      'select tier_id from heim.impfungen group by 1 having count(*) > 4',
      'select count(*) from (select tier_id from heim.impfungen group by 1 having count(*) > 4) x',
    ],
  ],
  [
    'q',
    'which vet did the most vaccinations',
    'select tierarzt from heim.impfungen group by 1 order by count(*) desc limit 1',
  ],
  [
    'q',
    'total donations in 2025',
    [
      "select sum(betrag) from heim.spenden where eingegangen_am >= '2025-01-01'",
      "select count(*) from heim.spenden where eingegangen_am >= '2025-01-01'",
    ],
  ],
  ['q', 'Summe der Spenden pro Monat', [`select ${month('eingegangen_am')}, sum(betrag) from heim.spenden group by 1`]],
  ['q', 'average donation', 'select avg(betrag) from heim.spenden'],
  [
    'q',
    'donations by payment method',
    [
      'select zahlungsart, count(*) from heim.spenden group by 1',
      'select zahlungsart, sum(betrag) from heim.spenden group by 1',
    ],
  ],
  ['q', 'cash donations over 100', listOrCount('spende_id', "heim.spenden where zahlungsart = 'bar' and betrag > 100")],
  ['q', 'anonymous donations', []],
  ['q', 'donations without a person', listOrCount('spende_id', 'heim.spenden where person_id is null')],
  [
    'q',
    'donations without a receipt sent',
    [...listOrCount('spende_id', 'heim.spenden where not quittung_verschickt')],
  ],
  ['q', 'top 3 donors', []],
  [
    'q',
    'top 3 people by donation amount',
    [
      `select person_id from heim.spenden where person_id is not null group by 1 order by sum(betrag) desc limit 3`,
      `select person_id from heim.spenden join heim.personen using (person_id) where ${LIVE} group by 1 order by sum(betrag) desc limit 3`,
    ],
  ],
  ['q', 'shifts per area', 'select bereich, count(*) from heim.dienste group by 1'],
  ['q', 'average shift length in hours', 'select avg(extract(epoch from ende - beginn)) / 3600 from heim.dienste'],
  ['q', 'shifts that have not ended', listOrCount('dienst_id', 'heim.dienste where ende is null')],
  [
    'q',
    'shifts longer than 5 hours',
    listOrCount('dienst_id', 'heim.dienste where extract(epoch from ende - beginn) / 3600 > 5'),
  ],
  [
    'q',
    'who did the most shifts',
    [
      'select person_id from heim.dienste group by 1 order by count(*) desc, 1 limit 1',
      `select person_id from heim.dienste join heim.personen using (person_id) where ${LIVE} group by 1 order by count(*) desc, 1 limit 1`,
    ],
  ],
])
