import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const WORTH_COMPRESSING = /\.(js|css|svg|json|wasm|map)$/
const TOO_SMALL = 1024

export async function compressAll(folder: string): Promise<void> {
  const files = (await readdir(folder)).filter((file) => WORTH_COMPRESSING.test(file))
  await Promise.all(files.map((file) => compress(join(folder, file))))
}

async function compress(file: string): Promise<void> {
  const plain = await readFile(file)
  if (plain.length < TOO_SMALL) return
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    }),
    promisify(gzip)(plain, { level: 9 }),
  ])
  await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
}
