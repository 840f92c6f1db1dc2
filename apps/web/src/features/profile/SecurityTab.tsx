import { SecondFactorCard } from './SecondFactorCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { Stack } from '../../ui/layout/Page.tsx'

export function Component() {
  return (
    <Stack>
      <SecondFactorCard />
      <SessionsCard />
    </Stack>
  )
}
