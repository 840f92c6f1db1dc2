import createCache from '@emotion/cache'
import { CacheProvider } from '@emotion/react'
import { ThemeProvider } from '@mui/material/styles'
import type { ReactNode } from 'react'
import { theme } from '../theme/mui-theme.ts'

/** Our policy allows only styles that carry the page's nonce, so the one of the page's own scripts is passed on. */
const cache = createCache({ key: 'mui', nonce: document.querySelector<HTMLElement>('[nonce]')?.nonce ?? '' })

/** Wrap the heavy controls in this, on the lazy routes that need them; the shell itself carries no MUI. */
export function MuiScope({ children }: { children: ReactNode }) {
  return (
    <CacheProvider value={cache}>
      <ThemeProvider theme={theme}>{children}</ThemeProvider>
    </CacheProvider>
  )
}
