interface DocumentPage {
  readonly number: number | null
  readonly text: string
}

export interface DocumentText {
  readonly pages: readonly DocumentPage[]
  readonly pageCount: number | null
  readonly isMarkdown: boolean
}

export interface ExtractRequest {
  readonly bytes: Uint8Array
  readonly maxCharacters: number
}
export type ExtractReply = { readonly text: DocumentText } | { readonly problem: string }
