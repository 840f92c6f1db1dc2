import { buffer } from 'node:stream/consumers'
import { deflateSync } from 'node:zlib'
import yazl from 'yazl'

export async function createZip(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new yazl.ZipFile()
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name)
  zip.end()
  return await buffer(zip.outputStream)
}

export function simplePdf(pages: readonly string[]): Buffer {
  const kids = pages.map((_, at) => `${3 + at * 2} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    ...pages.flatMap((text, at) => {
      const content = `BT /F1 12 Tf 50 700 Td (${text}) Tj ET`
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + at * 2} 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      ]
    }),
  ]
  return Buffer.from(writePdf(objects.map((text) => Buffer.from(text, 'latin1'))))
}

export function bombPdf(bytes: number): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, '(a) Tj '))
  const head = Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`)
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>'
  return writePdf([
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from('<< /Type /Pages /Kids [3 0 R] /Count 1 >>'),
    Buffer.from(page),
    Buffer.concat([head, packed, Buffer.from('\nendstream')]),
  ])
}

function writePdf(objects: readonly Buffer[]): Buffer {
  const chunks = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let at = chunks[0]?.length ?? 0
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')])
    offsets.push(at)
    at += whole.length
    chunks.push(whole)
  }
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const tail = `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer << /Size ${size} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`
  return Buffer.concat([...chunks, Buffer.from(tail)])
}
