//! Standard output and error through two pipes: an anonymous pipe cannot be read asynchronously here.
//! Their order is that of arrival.

use std::io;
use std::process::Stdio;

use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{ChildStderr, ChildStdout, Command};

use crate::group::Group;

pub(super) struct Pipe {
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
}

impl Pipe {
    pub(super) fn spawn(mut command: Command) -> io::Result<(Group, Self)> {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut group = Group::spawn(command)?;
        let pipe = Self {
            stdout: group.stdout(),
            stderr: group.stderr(),
        };
        Ok((group, pipe))
    }

    /// `Ok(0)`: everybody closed both. Cancel safe.
    pub(super) async fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut other = vec![0; buffer.len()];
        while self.stdout.is_some() || self.stderr.is_some() {
            tokio::select! {
                read = read_or_wait(&mut self.stdout, buffer) => match read? {
                    0 => self.stdout = None,
                    count => return Ok(count),
                },
                read = read_or_wait(&mut self.stderr, &mut other) => match read? {
                    0 => self.stderr = None,
                    count => {
                        buffer[..count].copy_from_slice(&other[..count]);
                        return Ok(count);
                    }
                },
            }
        }
        Ok(0)
    }
}

async fn read_or_wait(
    from: &mut Option<impl AsyncRead + Unpin>,
    buffer: &mut [u8],
) -> io::Result<usize> {
    match from {
        Some(from) => from.read(buffer).await,
        None => std::future::pending().await,
    }
}
