import { expect, test } from 'vitest'
import { createSnakeGame, moveSnake, SNAKE_COLUMNS, type SnakeGame, turnSnake } from './snake.ts'

const first = () => 0

function play(game: SnakeGame, steps: number): SnakeGame {
  return Array.from({ length: steps }).reduce<SnakeGame>((now) => moveSnake(now, first), game)
}

test('the snake moves, turns and does not turn back into its neck', () => {
  const game = createSnakeGame(first)
  expect(moveSnake(turnSnake(game, 'left'), first).snake[0]).toEqual({ x: 6, y: 7 })
  const turned = play(turnSnake(turnSnake(game, 'up'), 'left'), 2)
  expect(turned.snake).toEqual([
    { x: 4, y: 6 },
    { x: 5, y: 6 },
    { x: 5, y: 7 },
  ])
})

test('food makes it longer and counts', () => {
  const game = { ...createSnakeGame(first), food: { x: 6, y: 7 } }
  const fed = moveSnake(game, first)
  expect(fed).toMatchObject({ score: 1, food: { x: 0, y: 0 }, isOver: false })
  expect(fed.snake).toHaveLength(4)
})

test('a wall ends the game, and nothing moves after that', () => {
  const over = play(createSnakeGame(first), SNAKE_COLUMNS)
  expect(over.isOver).toBe(true)
  expect(over.snake[0]).toEqual({ x: SNAKE_COLUMNS - 1, y: 7 })
  expect(moveSnake(over, first)).toBe(over)
})

test('it dies by biting itself and may follow its own tail', () => {
  const square = [
    { x: 5, y: 5 },
    { x: 5, y: 6 },
    { x: 6, y: 6 },
    { x: 6, y: 5 },
  ]
  const game = { ...createSnakeGame(first), snake: square, direction: 'up' as const }
  expect(moveSnake(turnSnake(game, 'right'), first).isOver).toBe(false)
  const longer = { ...game, snake: [...square, { x: 7, y: 5 }] }
  expect(moveSnake(turnSnake(longer, 'right'), first).isOver).toBe(true)
})
