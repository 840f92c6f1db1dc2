import { stemWord } from './stem.ts'

export const GENDER_VALUES: Readonly<Record<string, readonly string[]>> = {
  female: ['f', 'female', 'w', 'woman'],
  woman: ['f', 'female', 'w', 'woman'],
  girl: ['f', 'female'],
  male: ['m', 'male', 'man'],
  man: ['m', 'male', 'man'],
  boy: ['m', 'male'],
}

const STATUS_CODES: readonly (readonly [words: string, codes: string])[] = [
  ['cancelled canceled cancel', 'cxl cxld canc cncl cncld can'],
  ['confirmed confirm', 'conf cnf'],
  ['pending', 'pend pnd'],
  ['active', 'act actv'],
  ['inactive', 'inact ina inactv'],
  ['closed', 'clsd cls clo'],
  ['open', 'opn'],
  ['approved', 'appr apprvd apvd'],
  ['rejected', 'rej rejd'],
  ['completed complete finished', 'cmpl cmp cmpltd compl'],
  ['delivered', 'dlvd dlv delv'],
  ['shipped', 'shpd shp shipd'],
  ['paid', 'pd'],
  ['unpaid', 'unpd'],
  ['suspended', 'susp'],
  ['expired', 'exp expd'],
  ['archived', 'arch'],
  ['no-show noshow', 'nosh ns noshow'],
  ['withdrawn', 'wdrn wd'],
  ['failed', 'fld'],
  ['graduated', 'grad'],
]
const codesByStem = new Map<string, string[]>()
for (const [words, stored] of STATUS_CODES)
  for (const word of words.split(' ')) codesByStem.set(stemWord(word), stored.split(' '))

/** "cancelled" → cxl, canc */
export const listStatusCodes = (word: string): readonly string[] => codesByStem.get(stemWord(word)) ?? []
