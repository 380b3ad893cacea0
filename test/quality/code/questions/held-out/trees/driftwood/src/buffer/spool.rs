use std::collections::VecDeque;

pub struct Spool {
    waiting: VecDeque<(u64, Vec<u8>)>,
    next: u64,
    bytes: usize,
    most: usize,
    pub dropped: u64,
}

impl Spool {
    pub fn new(most: usize) -> Spool {
        Spool { waiting: VecDeque::new(), next: 1, bytes: 0, most, dropped: 0 }
    }

    pub fn add(&mut self, data: Vec<u8>) -> u64 {
        self.bytes += data.len();
        self.waiting.push_back((self.next, data));
        self.next += 1;
        while self.bytes > self.most && self.waiting.len() > 1 {
            self.discard_oldest();
        }
        self.next - 1
    }

    fn discard_oldest(&mut self) {
        if let Some((_, data)) = self.waiting.pop_front() {
            self.bytes -= data.len();
            self.dropped += 1;
        }
    }

    pub fn acknowledge(&mut self, up_to: u64) {
        while self.waiting.front().is_some_and(|(number, _)| *number <= up_to) {
            let (_, data) = self.waiting.pop_front().unwrap();
            self.bytes -= data.len();
        }
    }

    pub fn first(&self) -> Option<&(u64, Vec<u8>)> {
        self.waiting.front()
    }
}
