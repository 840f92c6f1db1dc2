import type { AwkwardFile } from './load-cells.ts'
import { type TextEncoding, encodeText } from './random/encode-text.ts'

const createPlacesFile = (
  ...[encoding, header, names, said]: [TextEncoding, string, readonly string[], RegExp]
): AwkwardFile => ({
  name: `${header} in ${encoding}`,
  content: encodeText(`id;${header}\n${names.map((name, at) => `${at};${name}`).join('\n')}\n`, encoding) ?? '',
  columns: ['id:integer', `${header}:text`],
  rows: names.map((name, at) => [String(at), name]),
  warning: said,
})

export const ENCODED_FILES: AwkwardFile[] = [
  createPlacesFile('macintosh', 'Stadt', ['Köln', 'München', 'Düsseldorf', 'Gießen'], /Mac Roman/),
  createPlacesFile('macintosh', 'ville', ['Besançon', 'Orléans', 'Nîmes', 'Évry', 'L’Haÿ-les-Roses'], /Mac Roman/),
  createPlacesFile(
    'windows-1252',
    'ville',
    ['Besançon', 'Orléans', 'Nîmes', 'Évry', 'L’Haÿ-les-Roses'],
    /Windows-1252/,
  ),
  createPlacesFile('windows-1252', 'cidade', ['São Paulo', 'Goiânia', 'Maceió', 'Camões'], /Windows-1252/),
  createPlacesFile('windows-1252', 'nafn', ['Þórður', 'Guðrún', 'Ísafjörður'], /Windows-1252/),
  createPlacesFile('windows-1252', 'name', ['Müller', 'José', 'Besançon', 'Åse', '“Jörg”', '5 €'], /Windows-1252/),
  createPlacesFile('ibm850', 'Stadt', ['Köln', 'München', 'Düsseldorf', 'Gießen'], /DOS Western/),
  createPlacesFile('ibm850', 'ville', ['Besançon', 'Orléans', 'Nîmes', 'Évry'], /DOS Western/),
  createPlacesFile('windows-1251', 'город', ['Москва', 'Санкт-Петербург', 'Екатеринбург'], /Windows-1251/),
  createPlacesFile('koi8-r', 'город', ['Москва', 'Санкт-Петербург', 'Нижний Новгород'], /KOI8-R/),
  createPlacesFile('ibm866', 'город', ['Москва', 'Санкт-Петербург', 'Нижний Новгород'], /DOS Cyrillic/),
  createPlacesFile('windows-1250', 'miasto', ['Łódź', 'Kraków', 'Gdańsk'], /Windows-1250/),
  createPlacesFile(
    'windows-1250',
    'město',
    ['Plzeň', 'Ústí nad Labem', 'Brno-střed', 'České Budějovice'],
    /Windows-1250/,
  ),
  createPlacesFile('windows-1250', 'név', ['Szabó Győző', 'Kővári Éva', 'Nagy Jenő'], /Windows-1250/),
  createPlacesFile('iso-8859-2', 'miasto', ['Łódź', 'Wrocław', 'Świdnica'], /ISO 8859-2/),
  createPlacesFile('windows-1253', 'πόλη', ['Αθήνα', 'Θεσσαλονίκη', 'Πάτρα'], /Windows-1253/),
  createPlacesFile('windows-1254', 'şehir', ['İstanbul', 'Diyarbakır', 'Eskişehir', 'Muğla'], /Windows-1254/),
  createPlacesFile('windows-1255', 'עיר', ['תל אביב', 'ירושלים', 'חיפה'], /Windows-1255/),
  createPlacesFile('windows-1256', 'المدينة', ['القاهرة', 'الرياض', 'دبي'], /Windows-1256/),
  createPlacesFile('windows-1257', 'miestas', ['Šiauliai', 'Panevėžys', 'Kėdainiai', 'Ukmergė'], /Windows-1257/),
  createPlacesFile('windows-874', 'เมือง', ['กรุงเทพ', 'เชียงใหม่', 'ภูเก็ต'], /Windows-874/),
]
