import type { FileDialect } from './dialect.ts'

type Encoding = FileDialect['encoding']

interface Decoder {
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string
}

/** Used by Excel's "CSV (MS-DOS)" and missing in TextDecoder: characters from 128 on. */
const CP850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'

const DOS: Decoder = {
  decode(bytes) {
    const text = Buffer.from(bytes ?? []).toString('latin1')
    return text.replaceAll(/[\u0080-\u00ff]/g, (sign) => CP850[sign.charCodeAt(0) - 128] ?? sign)
  },
}

export const createTextDecoder = (encoding: Encoding, { fatal = false }: { fatal?: boolean } = {}): Decoder =>
  encoding === 'ibm850' ? DOS : new TextDecoder(encoding, { fatal })
