import { Readable } from 'node:stream'
import yauzl from 'yauzl'
import { type ByteSource, FileFault } from './byte-source.ts'

const MAX_ENTRIES = 10_000

export interface Zip {
  readonly entries: readonly yauzl.Entry[]
  read(entry: yauzl.Entry): AsyncIterable<Uint8Array>
}

class SourceReader extends yauzl.RandomAccessReader {
  readonly #source: ByteSource
  constructor(source: ByteSource) {
    super()
    this.#source = source
  }
  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#source.stream({ start, end }), { objectMode: false })
  }
}

const damagedZipFault = (cause: unknown) =>
  new FileFault('The file is damaged or not complete: its list of contents can not be read. Send it again.', { cause })

export async function openZip(source: ByteSource): Promise<Zip> {
  const file = await new Promise<yauzl.ZipFile>((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true }
    yauzl.fromRandomAccessReader(new SourceReader(source), source.size, options, (error, opened) =>
      error ? reject(damagedZipFault(error)) : resolve(opened),
    )
  })
  if (file.entryCount > MAX_ENTRIES)
    throw new FileFault(`The zip file holds ${file.entryCount} files. Send one table at a time.`)
  const entries = await readEntries(file)
  return {
    entries,
    async *read(entry) {
      if ((entry.generalPurposeBitFlag & 1) !== 0)
        throw new FileFault('The file is protected by a password. Take it away and send the file again.')
      const stream = await new Promise<Readable>((resolve, reject) => {
        file.openReadStream(entry, (error, opened) => (error ? reject(damagedZipFault(error)) : resolve(opened)))
      })
      try {
        for await (const chunk of stream) yield chunk as Uint8Array
      } catch (error) {
        throw error instanceof FileFault ? error : damagedZipFault(error)
      } finally {
        stream.destroy()
      }
    },
  }
}

function readEntries(file: yauzl.ZipFile): Promise<yauzl.Entry[]> {
  const entries: yauzl.Entry[] = []
  return new Promise((resolve, reject) => {
    file.on('entry', (entry: yauzl.Entry) => {
      entries.push(entry)
      file.readEntry()
    })
    file.on('end', () => resolve(entries))
    file.on('error', (error) => reject(damagedZipFault(error)))
    file.readEntry()
  })
}
