// @ts-expect-error Without types. The package's own entry has them, but no way to say where the .wasm file is.
import untypedModule from 'libpg-query/wasm/libpg-query.js'

export interface GrammarModule {
  _malloc(bytes: number): number
  _free(pointer: number): void
  _wasm_parse_query_raw(sql: number): number
  _wasm_free_parse_result(result: number): void
  _wasm_scan(sql: number): number
  _wasm_free_string(text: number): void
  lengthBytesUTF8(text: string): number
  stringToUTF8(text: string, pointer: number, bytes: number): void
  UTF8ToString(pointer: number): string
  getValue(pointer: number, type: 'i32'): number
}

const createModule = untypedModule as (options: { locateFile?: () => string }) => Promise<GrammarModule>

interface NodeProcess {
  getBuiltinModule(name: 'node:v8'): { setFlagsFromString(flag: string): void }
}

/**
 * V8's optimizer needs half a gigabyte for the parser's one huge function. Applies to all WebAssembly of the process.
 */
function preventOptimizing(): void {
  const { process } = globalThis as { process?: NodeProcess }
  const v8 = process?.getBuiltinModule('node:v8')
  for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) v8?.setFlagsFromString(flag)
}

let loading: Promise<GrammarModule> | undefined
let locateFile: (() => string) | undefined

/** A bundler moves the .wasm file, so a browser must be given its URL. */
export function loadGrammar({ wasmUrl }: { wasmUrl?: string } = {}): Promise<GrammarModule> {
  if (wasmUrl !== undefined) locateFile = () => wasmUrl
  if (!loading) preventOptimizing()
  loading ??= createModule(locateFile ? { locateFile } : {}).catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}

/** An exception out of WebAssembly leaves the stack pointer unrestored, which would break the next parse too. */
export function discardGrammar(): void {
  loading = undefined
}
