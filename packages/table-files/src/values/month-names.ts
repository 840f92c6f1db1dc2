/** By language, from January on; prefixes of three letters or more match too. */
const MONTHS: readonly string[] = [
  'january januar jänner janvier enero gennaio janeiro januari',
  'february februar février febrero febbraio fevereiro februari',
  'march märz mrz mars marzo março maart mrt',
  'april avril abril aprile',
  'may mai mayo maggio maio mei',
  'june juni juin junio giugno junho',
  'july juli juillet julio luglio julho',
  'august août agosto augustus',
  'september septembre septiembre setiembre settembre setembro sept',
  'october oktober octobre octubre ottobre outubro',
  'november novembre noviembre novembro',
  'december dezember décembre diciembre dicembre dezembro',
]
const MIN_LETTERS = 3

const withoutAccents = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '')

/** With and without accents; ambiguous prefixes are excluded. */
function listNames(): Map<string, number> {
  const found = new Map<string, number>()
  for (const [at, names] of MONTHS.entries()) {
    for (const name of names.split(' ')) {
      for (let length = MIN_LETTERS; length <= name.length; length += 1) {
        const short = name.slice(0, length)
        for (const text of new Set([short, withoutAccents(short)]))
          found.set(text, (found.get(text) ?? at) === at ? at : -1)
      }
    }
  }
  return new Map([...found].filter(([, at]) => at >= 0))
}

const BY_NAME = listNames()
export const MONTH_WORD = String.raw`\p{L}{3,10}`

export const findMonth = (name: string): number => (BY_NAME.get(name.toLowerCase()) ?? -1) + 1
