import wasmUrl from 'libpg-query/wasm/libpg-query.wasm?url'
import { loadGrammar } from './load-grammar.ts'

/** For a worker built by Vite. The file is fetched at the first parse. */
export const prepareGrammar = (): void => void loadGrammar({ wasmUrl })
