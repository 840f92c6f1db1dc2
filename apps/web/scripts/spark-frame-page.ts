import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ENTRIES, getChunk, readManifest } from './manifest.ts'

/** A classic script with inlined styles: modules are not loaded into an opaque origin. */
export async function writeSparkFrame(dist: string, file: string): Promise<void> {
  const manifest = await readManifest(dist, 'sparkFrame')
  await writeFile(join(dist, file), fillSparkFrame(getChunk(manifest, ENTRIES.sparkFrame).file))
}

function fillSparkFrame(script: string): string {
  return `<!doctype html>
<html lang="en" data-theme="light">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Spark</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="__CSP_NONCE__" src="/${script}"></script>
  </body>
</html>
`
}
