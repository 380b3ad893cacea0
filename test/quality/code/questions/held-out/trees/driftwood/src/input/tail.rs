use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::MetadataExt;

pub struct Tail {
    path: String,
    inode: u64,
    offset: u64,
    rest: String,
}

impl Tail {
    pub fn open(path: &str, offset: u64) -> io::Result<Tail> {
        let inode = std::fs::metadata(path)?.ino();
        Ok(Tail { path: path.into(), inode, offset, rest: String::new() })
    }

    /// Starts from the top when the file was replaced or became shorter, which is how rotation looks from here.
    pub fn read(&mut self) -> io::Result<Vec<String>> {
        let about = std::fs::metadata(&self.path)?;
        if about.ino() != self.inode || about.len() < self.offset {
            self.inode = about.ino();
            self.offset = 0;
            self.rest.clear();
        }
        let mut file = File::open(&self.path)?;
        file.seek(SeekFrom::Start(self.offset))?;
        let mut text = Vec::new();
        self.offset += file.read_to_end(&mut text)? as u64;
        self.rest.push_str(&String::from_utf8_lossy(&text));
        Ok(self.whole_lines())
    }

    fn whole_lines(&mut self) -> Vec<String> {
        let Some(end) = self.rest.rfind('\n') else { return Vec::new() };
        let lines = self.rest[..end].lines().map(str::to_string).collect();
        self.rest = self.rest.split_off(end + 1);
        lines
    }
}
