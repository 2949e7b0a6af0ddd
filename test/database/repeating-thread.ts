import { workerData } from 'node:worker_threads'
import { answerQuestions, EXCHANGE, openMailbox } from '../../src/database/mailbox.ts'

// A thread that answers through the mailbox with what it was asked, and ends when it is asked for anything else.
await answerQuestions(openMailbox(workerData), (task, question, write) => {
  if (task !== EXCHANGE) process.exit(0)
  write(question)
})
