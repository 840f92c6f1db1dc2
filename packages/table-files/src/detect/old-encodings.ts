import type { Encoding } from '../read/encoding.ts'
import { guessSingleByte, findOldWestern } from './single-byte.ts'

const CHINESE =
  '的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可她里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实回二理美点月明其种声全工己话儿者向情部正名定女问力机给等几很业最间新什打便位因重被走电四第门相次东政海口使教西再平真听世气信北少关并内加化由却代军产入先山五太水万市体别处总才场师书比住员九性通目华报立马命张活难神数件安表原车白应路期叫常提感金何更反合放做系计或司利受光王果界及今京务制解各任至清物台记边共风接它许八特服林题建南度统色字请交认算论百元社术结六功指流每管资队带条院变联权往展该领传近留红治决周保达办运武半候七必城父强步完区求品士转量单号订购客户价格银行苹果编地址姓名数总额州深圳广'
const TRADITIONAL =
  '的一是不了人我在有他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自去之過家學對可她里後小心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實回二理美點月明其種台灣北市縣區路號電話姓名公司訂單價格銀行總額客戶'
const KOREAN =
  '이다의는에을가고하지한로사기도들대인를시어자리나서정그일해수있만것제전아부라보상은장주성원동과구국조소공우안연유중선문신행경계김박울비오용여물말화방모음번호철민품명금액합계회날짜이름주문고객전화최강임윤오한양권황송홍산광천북남세종영미현진준서윤지은혜과배'
const JAPANESE =
  '日本東京大阪会社年月人名前住所電話番号注文商品価格合計金額税込個数顧客株式区市県町丁目一二三四五六七八九十百千万円上下中小高新古国学生先生'

const LANGUAGES: readonly (readonly [Encoding, RegExp])[] = [
  ['gb18030', toCharacterClass(CHINESE)],
  ['euc-kr', toCharacterClass(KOREAN)],
  ['big5', toCharacterClass(TRADITIONAL)],
  ['euc-jp', toCharacterClass(JAPANESE, '\u3041-\u3096\u30a1-\u30fc')],
  ['shift_jis', toCharacterClass(JAPANESE, '\u3041-\u3096\u30a1-\u30fc')],
]

function toCharacterClass(characters: string, ranges = ''): RegExp {
  return new RegExp(`[${[...new Set(characters)].join('')}${ranges}]`, 'gu')
}

/** Frequent characters are about half of a text in their language, and almost absent when another is misread. */
const MIN_COMMON_SHARE = 0.4

export function guessOldEncoding(text: Buffer): Encoding {
  if (!text.some((byte) => byte > 127)) return 'windows-1252'
  const scored = LANGUAGES.map(([encoding, letters]) => ({ encoding, share: computeShare(text, encoding, letters) }))
  const [best] = scored.toSorted((a, b) => b.share - a.share)
  if (best && best.share >= MIN_COMMON_SHARE) return best.encoding
  const western = findOldWestern(text)
  if (western) return western
  const japanese = computeShare(
    text,
    'shift_jis',
    /[\u3041-\u3096\u30a1-\u30fc\u4e00-\u9fff\u3001\u3002\uff01-\uff5e]/gu,
  )
  const kana = computeShare(text, 'shift_jis', /[\u3041-\u3096\u30a1-\u30fc]/gu)
  // Western letters can form kanji too, so kana and frequent kanji are required.
  if (japanese > 0.3 && (kana > 0.03 || lowLeads(text) > 0.5)) return 'shift_jis'
  const hanzi = computeShare(text, 'gb18030', /[\u4e00-\u9fff]/gu)
  if (hanzi > 0.9 && commonLeads(text) > 0.8) return 'gb18030'
  return guessSingleByte(text)
}

function computeShare(text: Buffer, encoding: Encoding, letters: RegExp): number {
  try {
    const decoded = new TextDecoder(encoding, { fatal: true }).decode(text)
    const length = decoded.match(letters)?.length ?? 0
    return length / Math.max(1, decoded.match(/[^\0-\u007f]/gu)?.length ?? 0)
  } catch {
    return 0
  }
}

function lowLeads(text: Buffer): number {
  return leadShare(text, (lead) => lead <= 0x9f)
}

const commonLeads = (text: Buffer) => leadShare(text, (lead, trail) => lead >= 0xb0 && lead <= 0xd7 && trail >= 0xa1)

function leadShare(text: Buffer, isCounted: (lead: number, trail: number) => boolean): number {
  let pairs = 0
  let counted = 0
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number
    if (byte < 0x81) continue
    pairs += 1
    if (isCounted(byte, text[at + 1] ?? 0)) counted += 1
    at += 1
  }
  return counted / Math.max(1, pairs)
}
