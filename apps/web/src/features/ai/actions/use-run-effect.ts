import type { ActionEffect } from '@trellis/contract/actions/actions.schemas'
import { useNavigate } from 'react-router'
import { getOtherTheme } from '../../../app/theme/theme-mode.ts'
import { usePreferredTheme } from '../../../app/theme/use-theme.ts'
import { showToast } from '../../../ui/feedback/toasts.ts'
import { useChangeTheme, useProfile } from '../../profile/profile.queries.ts'
import { useAi } from '../use-ai.ts'

export function useRunEffect(play: () => void): (effect: ActionEffect) => void {
  const { paths } = useAi()
  const navigate = useNavigate()
  const changeTheme = useChangeTheme()
  const theme = usePreferredTheme(useProfile())
  return (effect) => {
    switch (effect.kind) {
      case 'navigate':
        return void navigate(paths.page(effect.path))
      case 'theme': {
        const next = effect.theme_mode ?? getOtherTheme(theme)
        changeTheme(next)
        return void showToast({
          tone: 'success',
          text: `The ${next} theme is on.`,
          ...(next === 'light' && { detail: 'AI pages stay dark.' }),
        })
      }
      case 'game':
        return play()
      case 'help':
        return undefined
    }
  }
}
