import * as z from 'zod/mini'

export const EditorSettings = z.object({
  font_size: z.int().check(z.minimum(10), z.maximum(24)),
  tab_size: z.int().check(z.minimum(1), z.maximum(8)),
  word_wrap: z.boolean(),
  minimap: z.boolean(),
  line_numbers: z.boolean(),
  keyword_case: z.enum(['preserve', 'upper', 'lower']),
  autocomplete: z.boolean(),
  format_on_save: z.boolean(),
  /** Ask before UPDATE or DELETE without WHERE, DROP and TRUNCATE. */
  confirm_destructive: z.boolean(),
  row_limit: z.int().check(z.minimum(1), z.maximum(1_000_000)),
  timeout_seconds: z.int().check(z.minimum(1), z.maximum(3600)),
  snippets: z
    .array(
      z.object({
        name: z.string().check(z.regex(/^\w{1,40}$/, 'Use letters, digits and underscores')),
        body: z.string().check(z.minLength(1), z.maxLength(2000)),
      }),
    )
    .check(z.maxLength(50)),
})
export type EditorSettings = z.infer<typeof EditorSettings>
export const EditorSettingsPatch = z.partial(EditorSettings)

export const DEFAULT_EDITOR_SETTINGS: EditorSettings = {
  font_size: 13,
  tab_size: 2,
  word_wrap: false,
  minimap: false,
  line_numbers: true,
  keyword_case: 'preserve',
  autocomplete: true,
  format_on_save: false,
  confirm_destructive: true,
  row_limit: 1000,
  timeout_seconds: 60,
  snippets: [],
}
