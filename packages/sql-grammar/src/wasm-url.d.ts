/** Vite's way to ask for the address of a file. */
declare module '*.wasm?url' {
  const url: string
  export default url
}
