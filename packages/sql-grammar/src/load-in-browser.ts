import wasmUrl from 'libpg-query/wasm/libpg-query.wasm?url'
import { loadGrammar } from './load-grammar.ts'

/** For a worker that Vite builds. The file is fetched with the first parse. */
export const prepareGrammar = (): void => void loadGrammar({ wasmUrl })
